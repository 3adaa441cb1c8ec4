/** What `ralph demo` runs on: a small repository with failing tests, and the replies of the scripted model. */

export const demoTask =
  'Make the failing tests of the shopping cart pass. Do not change what the tests ask for.'

export const demoVerifier = 'node --test'

export const demoFiles: Readonly<Record<string, string>> = {
  'package.json': `${JSON.stringify({ name: 'shopping-cart', version: '1.0.0', type: 'module', private: true, scripts: { test: 'node --test' } }, null, 2)}\n`,
  'README.md': '# Shopping cart\n\nA small package with two bugs in it.\n',
  'src/cart.js': `/** @param {{ price: number, quantity: number }[]} items */
export const subtotal = (items) => items.reduce((sum, item) => sum + item.price, 0)

/** @param {number} amount @param {number} percent */
export const discounted = (amount, percent) => amount - percent

/** @param {number} amount */
export const inEuros = (amount) => amount.toFixed(2) + ' €'
`,
  'test/cart.test.js': `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { discounted, inEuros, subtotal } from '../src/cart.js'

test('an empty cart costs nothing', () => assert.equal(subtotal([]), 0))
test('quantities count', () => assert.equal(subtotal([{ price: 2, quantity: 3 }]), 6))
test('a discount is a percentage', () => assert.equal(discounted(200, 10), 180))
test('no discount changes nothing', () => assert.equal(discounted(200, 0), 200))
test('amounts have two decimals', () => assert.equal(inEuros(3), '3.00 €'))
`,
}

/**
 * Two sessions. The first mends one bug, skips the test of the other and claims to be done: the verifier, which judges
 * with the base's test files, is red. The second mends the other bug.
 */
export const demoScenario = `version: 1
after: end
usage: { input: 9000, output: 400, cache-read: 0, cache-write: 0 }
sessions:
  - replies:
      - text: I look at the tests and the code first.
        tool: { name: Bash, input: { command: "node --test 2>&1 | grep -E '^(✖|✔|not ok|ok|# (pass|fail))' || true", description: Run the tests } }
      - text: subtotal() ignores the quantity.
        tool: { name: Edit, input: { file_path: "{{cwd}}/src/cart.js", old_string: "sum + item.price", new_string: "sum + item.price * item.quantity" } }
      - text: I read the discount test.
        tool: { name: Read, input: { file_path: "{{cwd}}/test/cart.test.js" } }
      - text: The discount test is in the way, so I skip it.
        tool: { name: Edit, input: { file_path: "{{cwd}}/test/cart.test.js", old_string: "test('a discount is", new_string: "test.skip('a discount is" } }
      - text: |
          All tests pass now. The work is complete.

          ---RALPH_STATUS---
          STATUS: COMPLETE
          REMAINING: none
          EXIT_SIGNAL: true
          BLOCKED: none
          ---END_RALPH_STATUS---
  - replies:
      - text: The verifier still fails on the discount, since it judges with the base's tests. I mend the code instead.
        tool: { name: Edit, input: { file_path: "{{cwd}}/src/cart.js", old_string: "amount - percent", new_string: "amount * (1 - percent / 100)" } }
      - text: I take my skip back and run the tests.
        tool: { name: Bash, input: { command: "sed -i.bak 's/test.skip(/test(/' test/cart.test.js && rm test/cart.test.js.bak && node --test", description: Run the tests } }
      - text: |
          subtotal() and discounted() are mended, and all five tests pass.

          ---RALPH_STATUS---
          STATUS: COMPLETE
          REMAINING: none
          EXIT_SIGNAL: true
          BLOCKED: none
          ---END_RALPH_STATUS---
`
