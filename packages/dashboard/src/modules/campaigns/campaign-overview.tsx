import { Stack } from '@mantine/core'
import { useState } from 'react'
import { Section } from '../../ui/section.tsx'
import type { Campaign } from './api.ts'
import { CampaignFacts } from './campaign-facts.tsx'
import composer from './composer/composer.module.css'
import { Reach } from './composer/reach.tsx'
import { PreviewPanel } from './preview/preview-panel.tsx'
import { Differences } from './review/differences-section.tsx'
import { useTexts } from './texts.ts'

/** What it is and what people would see; for whoever decides, what is another than before. */
export function CampaignOverview({ campaign }: { campaign: Campaign }) {
  const t = useTexts()
  const [locale, setLocale] = useState(() => Object.keys(campaign.content)[0] ?? 'en')
  const hasMessages = campaign.dispatchChannels.some((channel) => channel !== 'in_app')
  return (
    <div className={composer.columns}>
      <Stack gap="lg" miw={0}>
        <Differences campaign={campaign} />
        <Section title={t('facts')}>
          <CampaignFacts campaign={campaign} />
        </Section>
        {hasMessages && ['draft', 'rejected', 'pending_review', 'approved', 'scheduled'].includes(campaign.status) && (
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
