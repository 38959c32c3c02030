import { Group, Stack } from '@mantine/core'
import { useState } from 'react'
import { useLanguage } from '../../../i18n.ts'
import type { Locale } from '@contentflow/server/wire.ts'
import { PreviewPanel } from '../preview/preview-panel.tsx'
import { AudienceSection } from './audience-section.tsx'
import { CheckSection } from './check-section.tsx'
import { ComposerContext, type Composer as Context } from './composer-context.tsx'
import type { Draft } from './draft.ts'
import type { Fault } from './faults.ts'
import { MessageSection } from './message-section.tsx'
import { ScheduleSection } from './schedule-section.tsx'
import { useTokens } from '../../../ui/tokens/use-tokens.ts'
import { storedContent } from './variants/stored-content.ts'
import { begun } from './variants/structure.ts'
import classes from './composer.module.css'

type ComposerProps = {
  draft: Draft
  onChange: (draft: Draft) => void
  faults: readonly Fault[]
  isChecked: boolean
  locales: readonly Locale[]
  /** The id of the stored campaign, which is what the server counts for. */
  storedId?: string | undefined
}

/** Content, audience, schedule and faults; beside them the preview. */
export function Composer({ draft, onChange, faults, isChecked, locales, storedId }: ComposerProps) {
  const tokens = useTokens()
  const first = useFirstLocale(locales, draft)
  const [picked, setLocale] = useState<string>()
  const locale = picked ?? first
  const [variant, setVariant] = useState<number | null>(null)
  const context: Context = {
    draft,
    change: (part) => onChange({ ...draft, ...part }),
    changeContent: (part) => {
      const content = begun(draft, locale)
      onChange({ ...draft, content: { ...content, [locale]: { ...content[locale], ...part } } })
    },
    faults,
    isChecked,
    locales,
    source: locales.find(({ source }) => source),
    tokens,
    locale,
    setLocale,
    variant,
    setVariant,
  }
  return (
    <ComposerContext value={context}>
      <div className={classes.columns}>
        <Stack gap="lg" miw={0}>
          <MessageSection />
          <AudienceSection />
          <ScheduleSection />
          <CheckSection storedId={storedId} />
        </Stack>
        <Group className={classes.preview} align="flex-start">
          <PreviewPanel campaign={{ ...draft, content: storedContent(draft, context.source?.code) }} locale={locale} variant={variant} />
        </Group>
      </div>
    </ComposerContext>
  )
}

/** The source language is written first; without one, the reader's. */
function useFirstLocale(locales: readonly Locale[], { content }: Draft): string {
  const language = useLanguage()
  return locales[0]?.code ?? Object.keys(content)[0] ?? language
}
