import { data, Evaluator, Lexer, Parser } from '@actions/expressions'
import { type Token, TokenType } from '@actions/expressions/lexer'
import { truthy } from '@actions/expressions/result'

/**
 * `${{ … }}` and `if:`, over the official expressions package.
 * Source: actions/runner TemplateReader (where an expression ends) and its 21,000-character limit.
 */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

export type ExpressionFunction = {
  name: string
  minArgs: number
  maxArgs: number
  call(...values: data.ExpressionData[]): data.ExpressionData
}

/** What an expression at one place may use. */
export type ExpressionSite = { contexts: Record<string, Json>; functions: readonly ExpressionFunction[] }

/** What `success()` and its like ask. `job` alone knows of a cancel. */
export type Statuses = { scope: Status; job: Status }
export type Status = 'success' | 'failure' | 'cancelled'

const longestExpression = 21_000
const opening = '${{'

/** `always`, `success`, `failure`, `cancelled`; in a composite the scope is the composite, else the job. */
export const statusFunctions = ({ scope, job }: Statuses): ExpressionFunction[] => {
  const answer = (name: string, most: number, value: boolean): ExpressionFunction => ({
    name,
    minArgs: 0,
    maxArgs: most,
    call: () => new data.BooleanData(value),
  })
  return [
    answer('always', 0, true),
    answer('cancelled', 0, job === 'cancelled'),
    answer('success', 255, scope === 'success'),
    answer('failure', 255, scope === 'failure'),
  ]
}

export const hashFilesFunction = (hash: (patterns: string[]) => string): ExpressionFunction => ({
  name: 'hashFiles',
  minArgs: 1,
  maxArgs: 255,
  call: (...patterns) => new data.StringData(hash(patterns.map((pattern) => pattern.coerceString()))),
})

/** The text with its expressions replaced. Raises for an expression that is malformed or cannot be evaluated. */
export const evaluateTemplate = (template: string, site: ExpressionSite): string => {
  const expression = toExpression(template)
  return expression === undefined ? template : evaluate(expression, site).coerceString()
}

/** An absent condition is `success()`; one that names no status function gets `success() &&` in front. */
export const evaluateCondition = (condition: string | undefined, site: ExpressionSite): boolean =>
  truthy(evaluate(toCondition(condition), site))

/** Raises for what GitHub refuses when it loads the file: bad syntax, an unknown context or function. */
export const checkTemplate = (template: string, site: ExpressionSite): void => {
  const expression = toExpression(template)
  if (expression !== undefined) parse(expression, site)
}

export const checkCondition = (condition: string | undefined, site: ExpressionSite): void => {
  parse(toCondition(condition), site)
}

const toCondition = (condition: string | undefined): string => {
  const text = condition?.trim() ?? ''
  if (text === '') return 'success()'
  const expression = toExpression(text) ?? text
  const asksStatus = lex(expression).some(
    ({ lexeme }, index, tokens) =>
      ['always', 'success', 'failure', 'cancelled'].includes(lexeme.toLowerCase()) &&
      tokens[index + 1]?.lexeme === '(',
  )
  return asksStatus ? expression : `success() && (${expression})`
}

/** One expression for the whole text, or undefined for a text without any. */
const toExpression = (template: string): string | undefined => {
  const parts = splitTemplate(template)
  const [only] = parts
  if (parts.every((part) => part.kind === 'text')) return undefined
  if (parts.length === 1 && only !== undefined) return only.value
  const values: string[] = []
  const format = parts.map((part) => {
    if (part.kind === 'text')
      return part.value.replaceAll("'", "''").replaceAll('{', '{{').replaceAll('}', '}}')
    values.push(part.value)
    return `{${values.length - 1}}`
  })
  return `format('${format.join('')}', ${values.join(', ')})`
}

type Part = { kind: 'text' | 'expression'; value: string }

const splitTemplate = (template: string): Part[] => {
  const parts: Part[] = []
  let at = 0
  for (let start = template.indexOf(opening); start >= 0; start = template.indexOf(opening, at)) {
    if (start > at) parts.push({ kind: 'text', value: template.slice(at, start) })
    const end = endOfExpression(template, start + 3)
    if (end < 0) {
      throw new Error(
        `The expression is not closed. An unescaped ${opening} sequence was found, but the closing }} sequence was not found.`,
      )
    }
    const value = template.slice(start + 3, end).trim()
    if (value === '') throw new Error('An expression was expected')
    parts.push({ kind: 'expression', value })
    at = end + 2
  }
  if (at < template.length) parts.push({ kind: 'text', value: template.slice(at) })
  return parts
}

/** Where the closing braces stand, those inside quotes not counted; -1 when there are none. */
const endOfExpression = (template: string, from: number): number => {
  let quoted = false
  for (let at = from; at < template.length; at++) {
    if (template[at] === "'") quoted = !quoted
    else if (!quoted && template.startsWith('}}', at)) return at
  }
  return -1
}

/** The package unescapes only the first doubled quote of a string (0.3.61); GitHub unescapes all. */
const lex = (expression: string): Token[] =>
  new Lexer(expression)
    .lex()
    .tokens.map((token) =>
      token.type === TokenType.STRING
        ? { ...token, value: token.lexeme.slice(1, -1).replaceAll("''", "'") }
        : token,
    )

const parse = (expression: string, site: ExpressionSite): ReturnType<Parser['parse']> => {
  if (expression.length > longestExpression)
    throw new Error(`Exceeded max expression length ${longestExpression}`)
  return new Parser(lex(expression), Object.keys(site.contexts), [...site.functions]).parse()
}

const evaluate = (expression: string, site: ExpressionSite): data.ExpressionData => {
  const tree = parse(expression, site)
  const contexts = new data.Dictionary(...pairs(site.contexts))
  return new Evaluator(
    tree,
    contexts,
    new Map(site.functions.map((item) => [item.name.toLowerCase(), item])),
  ).evaluate()
}

const pairs = (values: { readonly [key: string]: Json }): { key: string; value: data.ExpressionData }[] =>
  Object.entries(values).map(([key, value]) => ({ key, value: toData(value) }))

const toData = (value: Json): data.ExpressionData => {
  if (value === null) return new data.Null()
  if (typeof value === 'string') return new data.StringData(value)
  if (typeof value === 'number') return new data.NumberData(value)
  if (typeof value === 'boolean') return new data.BooleanData(value)
  return isList(value) ? new data.Array(...value.map(toData)) : new data.Dictionary(...pairs(value))
}

const isList = (value: readonly Json[] | { readonly [key: string]: Json }): value is readonly Json[] =>
  Array.isArray(value)
