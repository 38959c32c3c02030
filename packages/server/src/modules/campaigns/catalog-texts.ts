/** What a campaign takes from the catalog of texts, and from published content, for its mail: written into it, so that what is approved is what goes out. */
import type { Campaign, CampaignContent } from '@contentflow/core/campaigns/campaign.ts'
import { withoutCatalogTexts } from '@contentflow/core/mail/catalog-texts.ts'
import type { MailDocument } from '@contentflow/core/mail/document.ts'
import type { VariantMail } from '@contentflow/core/mail/variants/variant-mail.ts'
import { withoutItems } from '@contentflow/core/mail/products/products.ts'
import type { Change } from '../../infra/change.ts'
import { fillProducts } from '../content/index.ts'
import { fillFromCatalog } from '../strings/index.ts'

/** Members that are left out, or null, stay so. */
type Written = { content?: Campaign['content'] | undefined; mail?: MailDocument | null | undefined }

/** As the catalog is now. */
export async function withCatalog<T extends Written>({ tx, workspaceId }: Pick<Change, 'tx' | 'workspaceId'>, said: T): Promise<T> {
  const mails = [...(said.mail ? [said.mail] : []), ...Object.values(said.content ?? {}).flatMap(variantMails)]
  const filled = await fillProducts(tx, workspaceId, await fillFromCatalog(tx, workspaceId, mails))
  const now = new Map(mails.map((mail, index) => [mail, filled[index]]))
  return mapMails(said, (mail) => (now.get(mail) as typeof mail | undefined) ?? mail)
}

/** As somebody writes it. */
export function withoutCatalog<T extends Written>(said: T): T {
  return mapMails(said, (mail) => withoutItems(withoutCatalogTexts(mail)))
}

function variantMails({ variants = [] }: CampaignContent): VariantMail[] {
  return variants.flatMap(({ mail }) => mail ?? [])
}

function mapMails<T extends Written>(said: T, map: <M extends MailDocument | VariantMail>(mail: M) => M): T {
  const { content, mail } = said
  const mapLocale = (of: CampaignContent): CampaignContent =>
    of.variants ? { ...of, variants: of.variants.map((each) => (each.mail ? { ...each, mail: map(each.mail) } : each)) } : of
  return {
    ...said,
    ...(mail && { mail: map(mail) }),
    ...(content && { content: Object.fromEntries(Object.entries(content).map(([locale, of]) => [locale, mapLocale(of)])) }),
  }
}
