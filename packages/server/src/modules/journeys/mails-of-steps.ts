/**
 * What the steps of a journey take for their mails from elsewhere: from the catalog of texts and from published content, which is
 * written into them, and from the saved parts that they hold, so that what is approved is what goes out.
 */
import { canonicalJson } from '@contentflow/core/json/canonical-json.ts'
import { hasBranches, listSteps, type SendStep, type Step } from '@contentflow/core/journeys/journey.ts'
import { placesOf } from '@contentflow/core/journeys/read-events.ts'
import { withoutCatalogTexts } from '@contentflow/core/mail/catalog-texts.ts'
import { partsOf } from '@contentflow/core/mail/library/read-part.ts'
import type { FrozenPart } from '@contentflow/core/mail/library/put-parts.ts'
import { withoutItems } from '@contentflow/core/mail/products/products.ts'
import type { Change } from '../../infra/change.ts'
import { fillProducts } from '../content/index.ts'
import { freezeParts, refuseUnknownParts } from '../mails/index.ts'
import { fillFromCatalog } from '../strings/index.ts'

type Where = Pick<Change, 'tx' | 'workspaceId'>

/** As the catalog is now. */
export async function withCatalog({ tx, workspaceId }: Where, steps: Step[]): Promise<Step[]> {
  const mails = mailedSteps(steps).flatMap(({ mail = [] }) => mail)
  const filled = await fillProducts(tx, workspaceId, await fillFromCatalog(tx, workspaceId, mails))
  const now = new Map(mails.map((mail, index) => [mail, filled[index]]))
  return mapSends(steps, (step) => ({ ...step, mail: step.mail && (now.get(step.mail) ?? step.mail) }))
}

/** As catalog and saved parts are now. */
export async function withTextsOfNow(where: Where, steps: Step[]): Promise<Step[]> {
  const filled = await withCatalog(where, steps)
  const frozen = new Map<string, FrozenPart[]>()
  for (const { id, mail } of mailedSteps(filled)) if (mail) frozen.set(id, await freezeParts(where.tx, where.workspaceId, mail))
  return mapSends(filled, (step) => ({ ...step, mailParts: frozen.get(step.id) }))
}

/** With the parts that the steps held before, as long as their mails name them: what runs is what was activated. */
export function withPartsOf(before: readonly Step[], steps: readonly Step[]): Step[] {
  const held = new Map(mailedSteps(before).map(({ id, mailParts }) => [id, mailParts]))
  return mapSends(steps, (step) => {
    const named = new Set(step.mail ? partsOf(step.mail).map(({ part }) => part) : [])
    return { ...step, mailParts: held.get(step.id)?.filter(({ id }) => named.has(id)) }
  })
}

/** As somebody writes them. */
export function withoutTextsOfNow(steps: readonly Step[]): Step[] {
  return mapSends(steps, (step) => ({ ...step, mail: step.mail && withoutItems(withoutCatalogTexts(step.mail)), mailParts: undefined }))
}

/** 400 with the path where a mail names a part that there is none of, or one that is archived and that its step did not hold before. */
export async function refuseStepParts({ tx, workspaceId }: Where, steps: readonly Step[], before: readonly Step[] = []): Promise<void> {
  const former = new Map(mailedSteps(before).map(({ id, mail }) => [id, mail]))
  for (const [at, step] of placesOf(steps))
    if (step.type === 'send') await refuseUnknownParts(tx, workspaceId, `${at}.mail`, step.mail, former.get(step.id))
}

export function isSameSteps(one: readonly Step[], other: readonly Step[]): boolean {
  return canonicalJson(one) === canonicalJson(other)
}

function mailedSteps(steps: readonly Step[]): SendStep[] {
  return listSteps(steps).filter((step) => step.type === 'send' && step.mail !== undefined) as SendStep[]
}

/** Of steps that hold a mail. */
type Mailed = Omit<SendStep, 'mail' | 'mailParts'> & { mail?: SendStep['mail'] | undefined; mailParts?: FrozenPart[] | undefined }

function mapSends(steps: readonly Step[], map: (step: SendStep) => Mailed): Step[] {
  return steps.map((step) => {
    if (step.type === 'send') return step.mail ? tidy(map(step)) : step
    return hasBranches(step) ? { ...step, then: mapSends(step.then, map), else: mapSends(step.else, map) } : step
  })
}

/** Members that say nothing are not there. */
function tidy({ mail, mailParts = [], ...step }: Mailed): SendStep {
  return { ...step, ...(mail && { mail }), ...(mailParts.length > 0 && { mailParts }) }
}
