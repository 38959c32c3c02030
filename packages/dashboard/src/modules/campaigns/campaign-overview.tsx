import { Stack } from '@mantine/core'
import { useState } from 'react'
import { useLanguage } from '../../i18n.ts'
import { Section } from '../../ui/section.tsx'
import type { Campaign } from './api.ts'
import { CampaignFacts } from './campaign-facts.tsx'
import composer from './composer/composer.module.css'
import { Reach } from './composer/reach.tsx'
import { PreviewPanel } from './preview/preview-panel.tsx'
import { Differences } from './review/differences-section.tsx'
import { useTexts } from './texts.ts'

/** What the campaign is and what people would see; for the approver, the differences to what was approved before. */
export function CampaignOverview({ campaign }: { campaign: Campaign }) {
  const t = useTexts()
  const language = useLanguage()
  const [locale, setLocale] = useState(() => firstLocale(campaign, language))
  return (
    <div className={composer.columns}>
      <Stack gap="lg" miw={0}>
        <Differences campaign={campaign} />
        <Section title={t('facts')}>
          <CampaignFacts campaign={campaign} />
        </Section>
        {['draft', 'rejected', 'pending_review', 'approved', 'scheduled'].includes(campaign.status) && (
          <Section title={t('audience')}>
            <Reach id={campaign.id} />
          </Section>
        )}
      </Stack>
      <div className={composer.preview}>
        <PreviewPanel campaign={campaign} locale={locale} onLocale={setLocale} variant={null} />
      </div>
    </div>
  )
}

/** The reader's own language where it is written. */
function firstLocale({ content }: Campaign, language: string): string {
  const codes = Object.keys(content)
  return codes.find((code) => code.toLowerCase().split('-')[0] === language) ?? codes[0] ?? language
}
