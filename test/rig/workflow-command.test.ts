import { expect, test } from 'vitest'
import { parseCommand } from './workflow-command.ts'

const registered = new Set(['error', 'group', 'set-output'])
const parse = (line: string): string | undefined => {
  const command = parseCommand(line, registered)
  return (
    command &&
    `${command.syntax} ${command.name} ${JSON.stringify(command.properties)} ${JSON.stringify(command.data)}`
  )
}

test.each([
  ['::error::text', ':: error {} "text"'],
  ['\t \u0085::error::text', ':: error {} "text"'],
  ['::Error::text', ':: Error {} "text"'],
  ['::error ::text', ':: error {} "text"'],
  ['::error  file=a b , Line=3::x', ':: error {"file":"a b "," line":"3"} "x"'],
  ['::error file=,line=3,=,col==4==5::x', ':: error {"line":"3","col":"4==5"} "x"'],
  ['::error file=a%3Ab%2Cc%25::1%0A2%0D%250A%3A', ':: error {"file":"a:b,c%"} "1\\n2\\r%0A%3A"'],
  ['::error::a::b', ':: error {} "a::b"'],
  ['##[error]text', '##[ error {} "text"'],
  ['anything ##[error file=a;line=3]text]', '##[ error {"file":"a","line":"3"} "text]"'],
  ['##[error file=a%3Bb%5D]c%5D', '##[ error {"file":"a;b]"} "c]"'],
  ['::unknown::##[error]x', '##[ error {} "x"'],
  ['text ::error::x', undefined],
  ['\uFEFF::error::x', undefined],
  ['::error: :x', undefined],
  ['::unknown::x', undefined],
  ['##[ error]x', undefined],
  ['##[unknown]##[error]x', undefined],
  ['##[error', undefined],
  ['#[error]x', undefined],
  ['', undefined],
])('%j is %s', (line, expected) => {
  expect(parse(line)).toBe(expected)
})
