import type { CampaignVariant } from '@contentflow/core/campaigns/campaign.ts'
import type { VariantMail } from '@contentflow/core/mail/variants/variant-mail.ts'

/** A variant while it is written; `texts`: what this variant has in each language over the shared content. */
export type DraftVariant = {
  id: string
  weight: number
  texts: { [locale: string]: CampaignVariant['values'] }
  /** What it says in the mail of sections, whichever language of the content somebody has. */
  mail?: VariantMail
  /** Where another program wrote another one in each language of the content: kept until the mail of the variant is written here. */
  mails?: { [locale: string]: VariantMail }
}
