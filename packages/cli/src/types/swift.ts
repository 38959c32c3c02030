import { nameIn, commentOf, HEADER, literal, memberName, nameTexts, openNames, typeName, type Naming } from './names.ts'
import {
  textChoices,
  textOptions,
  type BlockModel,
  type EventModel,
  type EventValueKind,
  type FieldKind,
  type Model,
  type ParameterKind,
  type TextModel,
} from './model.ts'

const WORDS =
  'associatedtype class deinit enum extension fileprivate func import init inout internal let open operator private precedencegroup protocol public rethrows static struct subscript typealias var break case catch continue default defer do else fallthrough for guard if in repeat return throw switch where while Any as await catch false is nil self Self super throw throws true try Type Protocol actor async macro each consume copy discard some any'
const naming: Naming = { reserved: new Set(WORDS.split(' ')), takesAllLetters: true }
/** Names of a block besides its tags. */
const inBlock = nameIn(naming, 'values key')
const inTypes = nameIn(naming, 'String Double Bool Int Date Array Dictionary Optional Blocks Texts LocalizedText Events TrackedEvent')
const text = (value: string) => literal(value, '"')
const read = (tag: string, type: string) => `values[${text(tag)}] as? ${type}`

/** Wrappers around delivered values, and the keys of texts with what fills them. Foundation only. */
export function swift({ blocks, texts, events }: Model): string {
  const nameOf = openNames(typeName, inTypes)
  const names = new Map(blocks.map(({ key }) => [key, nameOf(key)]))
  return [
    `// ${HEADER}`,
    'import Foundation',
    '',
    '/// A text and what it is filled with.',
    'public struct LocalizedText {',
    '  public let key: String',
    '  public let values: [String: Any]',
    '}',
    '',
    '/// Block types. Each is made of the `values` that are delivered.',
    'public enum Blocks {',
    ...blocks.flatMap((block) => blockOf(block, names)),
    '}',
    '',
    'public enum Texts {',
    ...textsOf(texts),
    '}',
    '',
    '/// An event as it is reported: its type and its properties.',
    'public struct TrackedEvent {',
    '  public let type: String',
    '  public let properties: [String: Any]',
    '}',
    '',
    'public enum Events {',
    ...eventsOf(events),
    '}',
    '',
  ].join('\n')
}

function blockOf({ key, name, fields }: BlockModel, names: ReadonlyMap<string, string>): string[] {
  const member = openNames(memberName, inBlock)
  const type = openNames(typeName, inTypes)
  const lines: string[] = []
  for (const { tag, kind } of fields) {
    const is = member(tag)
    lines.push(`    /// ${commentOf(tag)}`)
    const options = textOptions(kind)
    if (options) {
      const choice = type(`${tag} choice`)
      const option = openNames(memberName, naming)
      lines.push(
        `    public enum ${choice}: String {`,
        ...options.map((value) => `      case ${option(value)} = ${text(value)}`),
        '    }',
        `    public var ${is}: ${choice}? { (${read(tag, 'String')}).flatMap(${choice}.init(rawValue:)) }`,
      )
    } else if (kind.is === 'number') lines.push(`    public var ${is}: Double? { (${read(tag, 'NSNumber')})?.doubleValue }`)
    else if (kind.is === 'blocks') lines.push(...collectionOf(tag, is, type(`${tag} item`), kind.keys, names))
    else
      lines.push(
        `    public var ${is}: ${SCALARS[kind.is]}? { ${kind.is === 'unknown' || kind.is === 'choice' ? `values[${text(tag)}]` : read(tag, SCALARS[kind.is])} }`,
      )
  }
  return [
    `  /// ${commentOf(name)}`,
    `  public struct ${names.get(key)} {`,
    `    public static let key = ${text(key)}`,
    '    public let values: [String: Any]',
    '    public init(_ values: [String: Any]) { self.values = values }',
    ...lines,
    '  }',
  ]
}

function collectionOf(tag: string, is: string, item: string, keys: readonly string[], names: ReadonlyMap<string, string>): string[] {
  const option = openNames(memberName, naming)
  const cases = keys.map((key) => ({ key, is: option(key), type: `Blocks.${names.get(key)}` }))
  return [
    `    public enum ${item} {`,
    ...cases.map((one) => `      case ${one.is}(${one.type})`),
    '      init?(_ block: [String: Any]) {',
    '        guard let key = block["key"] as? String, let values = block["values"] as? [String: Any] else { return nil }',
    '        switch key {',
    ...cases.map((one) => `        case ${text(one.key)}: self = .${one.is}(${one.type}(values))`),
    '        default: return nil',
    '        }',
    '      }',
    '    }',
    `    public var ${is}: [${item}] { (${read(tag, '[[String: Any]]')} ?? []).compactMap(${item}.init) }`,
  ]
}

const SCALARS: Record<Exclude<FieldKind['is'], 'blocks'>, string> = {
  text: 'String',
  number: 'Double',
  flag: 'Bool',
  unknown: 'Any',
  choice: 'Any',
}
const PARAMETERS: Record<ParameterKind, string> = { any: 'CustomStringConvertible', text: 'String', number: 'Double', date: 'Date' }

const VALUES: Record<EventValueKind, string> = {
  string: 'String',
  integer: 'Int',
  number: 'Double',
  boolean: 'Bool',
  object: '[String: Any]',
  array: '[Any]',
}
/** Names of arguments besides what the function itself needs. */
const inEvent = nameIn(naming, 'tracked')

function eventsOf(events: readonly EventModel[]): string[] {
  const member = openNames(memberName, naming)
  const type = openNames(typeName, inTypes)
  return events.flatMap(({ key, description, properties }) => {
    const argument = openNames(memberName, inEvent)
    const lines: string[] = []
    const takes: string[] = []
    const sets: string[] = []
    for (const property of properties) {
      const { name, kind, isRequired } = property
      const is = argument(name)
      const options = textChoices(property)
      const choice = options && type(`${key} ${name} choice`)
      if (options) {
        const option = openNames(memberName, naming)
        lines.push(`  public enum ${choice}: String {`, ...options.map((value) => `    case ${option(value)} = ${text(value)}`), '  }')
      }
      takes.push(`${is}: ${choice ?? VALUES[kind]}${isRequired ? '' : '? = nil'}`)
      const value = choice === undefined ? is : `${is}.rawValue`
      sets.push(isRequired ? `    tracked[${text(name)}] = ${value}` : `    if let ${is} = ${is} { tracked[${text(name)}] = ${value} }`)
    }
    return [
      ...lines,
      `  /// ${commentOf(description || key)}`,
      `  public static func ${member(key)}(${takes.join(', ')}) -> TrackedEvent {`,
      `    ${sets.length === 0 ? 'let' : 'var'} tracked: [String: Any] = [:]`,
      ...sets,
      `    return TrackedEvent(type: ${text(key)}, properties: tracked)`,
      '  }',
    ]
  })
}

function textsOf(texts: readonly TextModel[]): string[] {
  return nameTexts(texts, naming, naming).flatMap(({ key, source, name, parameters }) => {
    const comment = `  /// ${commentOf(source)}`
    if (parameters.length === 0)
      return [comment, `  public static var ${name}: LocalizedText { LocalizedText(key: ${text(key)}, values: [:]) }`]
    const takes = parameters.map(({ is, kind }) => `${is}: ${PARAMETERS[kind]}`).join(', ')
    const values = parameters.map((one) => `${text(one.name)}: ${one.is}`).join(', ')
    return [comment, `  public static func ${name}(${takes}) -> LocalizedText { LocalizedText(key: ${text(key)}, values: [${values}]) }`]
  })
}
