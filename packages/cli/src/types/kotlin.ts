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
  'as break class continue do else false for fun if in interface is null object package return super this throw true try typealias typeof val var when while by catch constructor delegate dynamic field file finally get import init param property receiver set setparam value where abstract actual annotation companion const crossinline data enum expect external final infix inline inner internal lateinit noinline open operator out override private protected public reified sealed suspend tailrec vararg'
const naming: Naming = { reserved: new Set(WORDS.split(' ')), takesAllLetters: true }
/** Names of a block besides its tags; the others are those of every object. */
const inBlock = nameIn(naming, 'values key hashCode toString equals')
const inTypes = nameIn(
  naming,
  'String Double Boolean Any Number Map List Companion LocalizedText Blocks Texts Unit Nothing Events TrackedEvent Int Long Pair',
)
const text = (value: string) => literal(value, '"', '$')

/** Wrappers around delivered values, and the keys of texts with what fills them. The standard library only, as of Kotlin 1.3. */
export function kotlin({ blocks, texts, events }: Model, packageName: string): string {
  const nameOf = openNames(typeName, inTypes)
  const names = new Map(blocks.map(({ key }) => [key, nameOf(key)]))
  return [
    `// ${HEADER}`,
    '@file:Suppress("UNCHECKED_CAST", "UNUSED_VARIABLE", "unused")',
    '',
    `package ${packageName}`,
    '',
    '/** A text and what it is filled with. */',
    'data class LocalizedText(val key: String, val values: Map<String, Any> = emptyMap())',
    '',
    '/** Block types. Each is made of the `values` that are delivered. */',
    'object Blocks {',
    ...blocks.flatMap((block) => blockOf(block, names)),
    '}',
    '',
    'object Texts {',
    ...textsOf(texts),
    '}',
    '',
    '/** An event as it is reported: its type and its properties. */',
    'data class TrackedEvent(val type: String, val properties: Map<String, Any> = emptyMap())',
    '',
    'object Events {',
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
    const value = `values[${text(tag)}]`
    lines.push(`        /** ${commentOf(tag)} */`)
    const options = textOptions(kind)
    if (options) {
      const choice = type(`${tag} choice`)
      const option = openNames(typeName, inChoice)
      lines.push(
        `        val ${is}: ${choice}? get() = ${choice}.values().firstOrNull { it.wire == ${value} }`,
        `        enum class ${choice}(val wire: String) {`,
        ...options.map((one) => `            ${option(one)}(${text(one)}),`),
        '        }',
      )
    } else if (kind.is === 'blocks') lines.push(...collectionOf(value, is, type(`${tag} item`), kind.keys, names))
    else if (kind.is === 'number') lines.push(`        val ${is}: Double? get() = (${value} as? Number)?.toDouble()`)
    else if (kind.is === 'unknown' || kind.is === 'choice') lines.push(`        val ${is}: Any? get() = ${value}`)
    else lines.push(`        val ${is}: ${SCALARS[kind.is]}? get() = ${value} as? ${SCALARS[kind.is]}`)
  }
  return [
    `    /** ${commentOf(name)} */`,
    `    class ${names.get(key)}(val values: Map<String, Any?>) {`,
    `        companion object { const val KEY = ${text(key)} }`,
    ...lines,
    '    }',
  ]
}

const SCALARS: Record<Exclude<FieldKind['is'], 'blocks' | 'number' | 'unknown' | 'choice'>, string> = { text: 'String', flag: 'Boolean' }
/** Every enum has this member. */
const inChoice = nameIn(naming, 'Companion')

function collectionOf(value: string, is: string, item: string, keys: readonly string[], names: ReadonlyMap<string, string>): string[] {
  const option = openNames(typeName, nameIn(inTypes, item))
  const cases = keys.map((key) => ({ key, is: option(key), type: `Blocks.${names.get(key)}` }))
  return [
    `        val ${is}: List<${item}> get() = (${value} as? List<*>).orEmpty().mapNotNull { ${item}.of(it) }`,
    `        sealed class ${item} {`,
    ...cases.map((one) => `            class ${one.is}(val block: ${one.type}) : ${item}()`),
    '            companion object {',
    `                fun of(block: Any?): ${item}? {`,
    '                    val found = block as? Map<String, Any?> ?: return null',
    '                    val values = found["values"] as? Map<String, Any?> ?: return null',
    '                    return when (found["key"]) {',
    ...cases.map((one) => `                        ${text(one.key)} -> ${one.is}(${one.type}(values))`),
    '                        else -> null',
    '                    }',
    '                }',
    '            }',
    '        }',
  ]
}

const PARAMETERS: Record<ParameterKind, string> = { any: 'Any', text: 'String', number: 'Number', date: 'java.util.Date' }

const VALUES: Record<EventValueKind, string> = {
  string: 'String',
  integer: 'Long',
  number: 'Number',
  boolean: 'Boolean',
  object: 'Map<String, Any?>',
  array: 'List<Any?>',
}
/** `it` is what a lambda takes. */
const inEvent = nameIn(naming, 'it')

function eventsOf(events: readonly EventModel[]): string[] {
  const member = openNames(memberName, inBlock)
  const type = openNames(typeName, inTypes)
  return events.flatMap(({ key, description, properties }) => {
    const argument = openNames(memberName, inEvent)
    const lines: string[] = []
    const takes: string[] = []
    const pairs: string[] = []
    for (const property of properties) {
      const { name, kind, isRequired } = property
      const is = argument(name)
      const options = textChoices(property)
      const choice = options && type(`${key} ${name} choice`)
      if (options) {
        const option = openNames(typeName, inChoice)
        lines.push(
          `    enum class ${choice}(val wire: String) {`,
          ...options.map((one) => `        ${option(one)}(${text(one)}),`),
          '    }',
        )
      }
      takes.push(`${is}: ${choice ?? VALUES[kind]}${isRequired ? '' : '? = null'}`)
      const wire = choice === undefined ? '' : '.wire'
      pairs.push(isRequired ? `${text(name)} to ${is}${wire}` : `${is}?.let { ${text(name)} to it${wire} }`)
    }
    const filled = pairs.length === 0 ? '' : `, listOfNotNull<Pair<String, Any>>(${pairs.join(', ')}).toMap()`
    return [
      ...lines,
      `    /** ${commentOf(description || key)} */`,
      `    fun ${member(key)}(${takes.join(', ')}) = TrackedEvent(${text(key)}${filled})`,
    ]
  })
}

function textsOf(texts: readonly TextModel[]): string[] {
  return nameTexts(texts, inBlock, naming).flatMap(({ key, source, name, parameters }) => {
    const comment = `    /** ${commentOf(source)} */`
    if (parameters.length === 0) return [comment, `    val ${name} = LocalizedText(${text(key)})`]
    const takes = parameters.map(({ is, kind }) => `${is}: ${PARAMETERS[kind]}`).join(', ')
    const values = parameters.map((one) => `${text(one.name)} to ${one.is}`).join(', ')
    return [comment, `    fun ${name}(${takes}) = LocalizedText(${text(key)}, mapOf(${values}))`]
  })
}
