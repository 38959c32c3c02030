/** HOT PATH. From a request of texts to finished bytes, which are made once for each language and namespace. */
import { pickLocale } from '@contentflow/core/locale/pick-locale.ts'
import type { Context } from '../../../context.ts'
import { failWith } from '../../../errors.ts'
import type { AppCaller, HearLocale } from '../../../http/callers/caller.ts'
import { FinishedAnswers, talliesOf, type Answer, type Exchange } from '../../../http/answers/finished-answer.ts'
import { SingleFlight } from '../../../infra/cache/single-flight.ts'
import type { TimeSlicer } from '../../../infra/concurrency/time-slicer.ts'
import { fallbackOf, type StringCatalog } from './catalog.ts'
import type { Catalogs } from './catalogs.ts'
import { renderLocales, renderNothing, renderStrings } from './render.ts'

/** What a client reads: texts in a language, or the languages. */
export type StringsRead = { kind: 'locales' } | { kind: 'strings'; locale: string | undefined; namespace: string | undefined }

/** Bytes of finished answers held. */
const ANSWER_BYTES = 128 * 1024 * 1024
/** An answer belongs to one key and language. */
const VARY = 'X-CF-Key, X-API-Key, Accept-Language, Accept-Encoding'

/** Addresses that need no decoding. */
const PLAIN =
  /^\/sdk\/v1\/(?:(locales)|strings(?:\?locale=([A-Za-z0-9-]{2,35})(?:&namespace=([\w.-]{1,100}))?|\?namespace=([\w.-]{1,100}))?)$/

export class StringsReading {
  readonly #catalogs: Catalogs
  readonly #slices: TimeSlicer
  readonly #hearLocale: HearLocale
  readonly #answers: FinishedAnswers
  readonly #making = new SingleFlight<Answer>()
  readonly #tallies

  constructor(ctx: Context, catalogs: Catalogs, hearLocale: HearLocale) {
    this.#catalogs = catalogs
    this.#slices = ctx.timeSlicer
    this.#hearLocale = hearLocale
    this.#answers = new FinishedAnswers(ctx.log, ANSWER_BYTES)
    ctx.metrics.watchCache('texts', 'bytes', () => this.#answers.bytes)
    this.#tallies = {
      strings: talliesOf(ctx.metrics, '/sdk/v1/strings'),
      locales: talliesOf(ctx.metrics, '/sdk/v1/locales'),
    }
  }

  /** What a plain address reads; undefined when it belongs to another route or needs decoding. */
  plain(url: string): StringsRead | undefined {
    const found = PLAIN.exec(url)
    if (!found) return undefined
    return found[1] === undefined ? { kind: 'strings', locale: found[2], namespace: found[3] ?? found[4] } : { kind: 'locales' }
  }

  /** The answer when it is in memory; undefined: `load` has to make it. */
  ready(caller: AppCaller, acceptLanguage: string | undefined, asked: StringsRead): Answer | undefined {
    const catalog = this.#catalogs.peek(caller.workspaceId)
    return catalog && this.#answers.get(signatureOf(catalog, caller, acceptLanguage, asked))
  }

  async load(caller: AppCaller, acceptLanguage: string | undefined, asked: StringsRead): Promise<Answer> {
    const catalog = (await this.#catalogs.get(caller.workspaceId)) ?? failWith(404, 'workspace not found')
    const signature = signatureOf(catalog, caller, acceptLanguage, asked)
    const make = () => this.#make(catalog, caller, acceptLanguage, asked, signature)
    return this.#answers.get(signature) ?? this.#making.run(signature, make)
  }

  write({ request, response, caller, rate, began }: Exchange, asked: StringsRead, answer: Answer): void {
    const tally = this.#tallies[asked.kind][this.#answers.write(request, response, answer, rate)]
    tally.count++
    tally.took.note(performance.now() - began)
    // Texts are the same for everybody, so their reads prove nothing: where proofs are required, those of content say the language.
    if (asked.kind === 'locales' || caller.proofs.deviceProof === 'required') return
    this.#hearLocale(caller, request.headers['x-cf-device']?.toString(), asked.locale, request.headers['accept-language'])
  }

  async #make(
    catalog: StringCatalog,
    caller: AppCaller,
    acceptLanguage: string | undefined,
    asked: StringsRead,
    signature: string,
  ): Promise<Answer> {
    const text = await this.#render(catalog, caller, acceptLanguage, asked)
    return this.#answers.add(signature, caller, text, VARY)
  }

  async #render(
    catalog: StringCatalog,
    { workspaceId, features }: AppCaller,
    acceptLanguage: string | undefined,
    asked: StringsRead,
  ): Promise<string | undefined> {
    if (asked.kind === 'locales') return renderLocales(catalog)
    const fallback = fallbackOf(catalog, pickLocale(asked.locale, acceptLanguage, catalog.sourceLocale))
    if (!features.strings) return renderNothing(fallback)
    return this.#slices.run(workspaceId, renderStrings(catalog, fallback, asked.namespace))
  }
}

/** Everything that an answer depends on, as text. All namespaces that the catalog lacks count as one, because they come from outside. */
function signatureOf(
  catalog: StringCatalog,
  { environment, features }: AppCaller,
  acceptLanguage: string | undefined,
  asked: StringsRead,
): string {
  if (asked.kind === 'locales') return `${catalog.serial}|${environment}|locales`
  const { name } = fallbackOf(catalog, pickLocale(asked.locale, acceptLanguage, catalog.sourceLocale))
  if (!features.strings) return `${catalog.serial}|${environment}|off|${name}`
  const { namespace } = asked
  const scope = namespace === undefined ? 'all' : catalog.namespaces.has(namespace) ? `one|${namespace}` : 'none'
  return `${catalog.serial}|${environment}|${name}|${scope}`
}
