/** What the steps of a journey take from the catalog of texts, and from published content, for their mails: written into them, so that what is approved is what goes out. */
import { canonicalJson } from '@contentflow/core/json/canonical-json.ts'
import { hasBranches, listSteps, type Step } from '@contentflow/core/journeys/journey.ts'
import { withoutCatalogTexts } from '@contentflow/core/mail/catalog-texts.ts'
import type { MailDocument } from '@contentflow/core/mail/document.ts'
import { withoutItems } from '@contentflow/core/mail/products/products.ts'
import type { Change } from '../../infra/change.ts'
import { fillProducts } from '../content/index.ts'
import { fillFromCatalog } from '../strings/index.ts'

/** As the catalog is now. */
export async function withCatalog({ tx, workspaceId }: Pick<Change, 'tx' | 'workspaceId'>, steps: Step[]): Promise<Step[]> {
  const mails = listSteps(steps).flatMap((step) => (step.type === 'send' && step.mail ? [step.mail] : []))
  const filled = await fillProducts(tx, workspaceId, await fillFromCatalog(tx, workspaceId, mails))
  const now = new Map(mails.map((mail, index) => [mail, filled[index]]))
  return mapMails(steps, (mail) => now.get(mail) ?? mail)
}

/** As somebody writes them. */
export function withoutCatalog(steps: readonly Step[]): Step[] {
  return mapMails(steps, (mail) => withoutItems(withoutCatalogTexts(mail)))
}

export function isSameSteps(one: readonly Step[], other: readonly Step[]): boolean {
  return canonicalJson(one) === canonicalJson(other)
}

function mapMails(steps: readonly Step[], map: (mail: MailDocument) => MailDocument): Step[] {
  return steps.map((step) => {
    if (step.type === 'send') return step.mail ? { ...step, mail: map(step.mail) } : step
    return hasBranches(step) ? { ...step, then: mapMails(step.then, map), else: mapMails(step.else, map) } : step
  })
}
