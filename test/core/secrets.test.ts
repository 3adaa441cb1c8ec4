import { expect, test } from 'vitest'
import { secretsOf } from '../../src/core/secrets.ts'

const config = (token: string | null) => ({
  credential: { kind: 'api-key' as const, value: 'sk-ant-1' },
  git: { token, branch: null, base: null, author: { name: 'A', email: 'a@example.com' } },
})

test('F35: the key, and the token in both of its forms', () => {
  expect(secretsOf(config('ghs_1'), {})).toEqual(['sk-ant-1', 'ghs_1', 'eC1hY2Nlc3MtdG9rZW46Z2hzXzE='])
  expect(secretsOf(config(null), {})).toEqual(['sk-ant-1'])
})

test.each([
  ['a long key', 'MY_TOKEN', 'abcdefghijklmnopqrst1', true],
  ['what everybody uses', 'DB_PASSWORD', 'postgres', false],
  ['a path', 'KUBECONFIG', '/home/runner/.kube/config1', false],
  ['a sentence', 'APP_SECRET', 'the quick brown fox 1 jumps', false],
  ['what is not withheld', 'BUILD_ID', 'abcdefghijklmnopqrst1', false],
])('F35: %s of the environment', (_, name, value, found) => {
  expect(secretsOf(config(null), { [name]: value }).includes(value)).toBe(found)
})
