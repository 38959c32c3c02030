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
  'abstract as assert async await base break case catch class const continue covariant default deferred do dynamic else enum export extends extension external factory false final finally for Function get hide if implements import in interface is late library mixin new null of on operator part required rethrow return sealed set show static super switch sync this throw true try type typedef var void when while with yield'
/** Dart's names are ASCII. */
const naming: Naming = { reserved: new Set(WORDS.split(' ')), takesAllLetters: false }
/** Beside what every object has. */
const inBlock = nameIn(naming, 'blockKey delivered hashCode runtimeType toString noSuchMethod')
const inTypes = nameIn(naming, 'String Object List Map DateTime Texts LocalizedText Block Enum Events TrackedEvent')
const inChoice = nameIn(inBlock, 'values index wire name')
const text = (value: string) => literal(value, "'", '$')

/** Wrappers around delivered values, and the keys of texts with what fills them. No package. */
export function dart({ blocks, texts, events }: Model): string {
  const nameOf = openNames(typeName, inTypes)
  const names = new Map(blocks.map(({ key }) => [key, nameOf(key)]))
  const tracked = eventsOf(events, nameOf)
  return [
    `// ${HEADER}`,
    '',
    '/// A text and what it is filled with.',
    'class LocalizedText {',
    '  const LocalizedText(this.key, [this.values = const {}]);',
    '  final String key;',
    '  final Map<String, Object> values;',
    '}',
    '',
    '/// A block: what is delivered for it.',
    'class Block {',
    '  const Block(this.delivered);',
    '  final Map<String, Object?> delivered;',
    '}',
    '',
    ...blocks.flatMap((block) => blockOf(block, names, nameOf)),
    'abstract final class Texts {',
    ...textsOf(texts),
    '}',
    '',
    ...tracked,
  ].join('\n')
}

function blockOf({ key, name, fields }: BlockModel, names: ReadonlyMap<string, string>, nameOf: (wanted: string) => string): string[] {
  const member = openNames(memberName, inBlock)
  const around: string[] = []
  const lines: string[] = []
  for (const { tag, kind } of fields) {
    const is = member(tag)
    const value = `delivered[${text(tag)}]`
    lines.push(`  /// ${commentOf(tag)}`)
    const options = textOptions(kind)
    if (options) {
      const choice = nameOf(`${key} ${tag} choice`)
      around.push(...enumOf(choice, options))
      lines.push(`  ${choice}? get ${is} => ${choice}.values.where((one) => one.wire == ${value}).firstOrNull;`)
    } else if (kind.is === 'blocks') lines.push(...collectionOf(value, is, kind.keys, names))
    else if (kind.is === 'unknown' || kind.is === 'choice') lines.push(`  Object? get ${is} => ${value};`)
    else lines.push(`  ${SCALARS[kind.is]}? get ${is} => switch (${value}) { ${SCALARS[kind.is]} value => value, _ => null };`)
  }
  const type = names.get(key)
  return [
    ...around,
    `/// ${commentOf(name)}`,
    `class ${type} extends Block {`,
    `  const ${type}(super.delivered);`,
    `  static const blockKey = ${text(key)};`,
    ...lines,
    '}',
    '',
  ]
}

const SCALARS: Record<Exclude<FieldKind['is'], 'blocks' | 'unknown' | 'choice'>, string> = { text: 'String', flag: 'bool', number: 'num' }

/** The kind of an item is its class: `switch (item) { case Product() => … }`. */
function collectionOf(value: string, is: string, keys: readonly string[], names: ReadonlyMap<string, string>): string[] {
  if (keys.length === 0) return [`  List<Block> get ${is} => const [];`]
  return [
    `  List<Block> get ${is} => [`,
    `        if (${value} case final List<Object?> items)`,
    '          for (final item in items)',
    `            if (item case {'key': final String key, 'values': final Map<String, Object?> values})`,
    ...keys.map((key, at) => `              ${at === 0 ? '' : 'else '}if (key == ${text(key)}) ${names.get(key)}(values)`),
    '      ];',
  ]
}

const PARAMETERS: Record<ParameterKind, string> = { any: 'Object', text: 'String', number: 'num', date: 'DateTime' }

const VALUES: Record<EventValueKind, string> = {
  string: 'String',
  integer: 'int',
  number: 'num',
  boolean: 'bool',
  object: 'Map<String, Object?>',
  array: 'List<Object?>',
}

function eventsOf(events: readonly EventModel[], nameOf: (wanted: string) => string): string[] {
  const member = openNames(memberName, inBlock)
  const around: string[] = []
  const lines = events.flatMap(({ key, description, properties }) => {
    const argument = openNames(memberName, inBlock)
    const takes: string[] = []
    const sets: string[] = []
    for (const property of properties) {
      const { name, kind, isRequired } = property
      const is = argument(name)
      const options = textChoices(property)
      const choice = options && nameOf(`${key} ${name} choice`)
      if (options && choice) around.push(...enumOf(choice, options))
      takes.push(`${isRequired ? 'required ' : ''}${choice ?? VALUES[kind]}${isRequired ? '' : '?'} ${is}`)
      sets.push(`${isRequired ? '' : `if (${is} != null) `}${text(name)}: ${is}${choice === undefined ? '' : '.wire'}`)
    }
    const given = takes.length === 0 ? '' : `{${takes.join(', ')}}`
    const filled = sets.length === 0 ? '' : `, {${sets.join(', ')}}`
    return [
      `  /// ${commentOf(description || key)}`,
      `  static TrackedEvent ${member(key)}(${given}) => ${filled === '' ? 'const ' : ''}TrackedEvent(${text(key)}${filled});`,
    ]
  })
  return [
    ...around,
    '/// An event as it is reported: its type and its properties.',
    'class TrackedEvent {',
    '  const TrackedEvent(this.type, [this.properties = const {}]);',
    '  final String type;',
    '  final Map<String, Object> properties;',
    '}',
    '',
    'abstract final class Events {',
    ...lines,
    '}',
    '',
  ]
}

/** An enum of texts, each with the text that is sent. */
function enumOf(name: string, options: readonly string[]): string[] {
  const option = openNames(memberName, inChoice)
  return [
    `enum ${name} {`,
    `${options.map((one) => `  ${option(one)}(${text(one)})`).join(',\n')};`,
    '',
    `  const ${name}(this.wire);`,
    '  final String wire;',
    '}',
    '',
  ]
}

function textsOf(texts: readonly TextModel[]): string[] {
  return nameTexts(texts, inBlock, naming).flatMap(({ key, source, name, parameters }) => {
    const comment = `  /// ${commentOf(source)}`
    if (parameters.length === 0) return [comment, `  static const ${name} = LocalizedText(${text(key)});`]
    const takes = parameters.map(({ is, kind }) => `required ${PARAMETERS[kind]} ${is}`).join(', ')
    const values = parameters.map((one) => `${text(one.name)}: ${one.is}`).join(', ')
    return [comment, `  static LocalizedText ${name}({${takes}}) => LocalizedText(${text(key)}, {${values}});`]
  })
}
