import { Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { isRightToLeft } from '@contentflow/core/locale/languages.ts'
import type { InboxStay, WhatsappTemplate } from '@contentflow/core/messages/content.ts'
import { useFormat } from '../../../format.ts'
import { useTexts as useComposerTexts } from '../composer/texts.ts'
import { useVariantTexts } from '../composer/variants/texts.ts'
import { usePartWords, type Window } from '../part-words.ts'
import { useTexts as useCampaignTexts } from '../texts.ts'
import { useGoalName } from '../words.ts'
import type { Difference } from './differences.ts'
import { useReviewTexts } from './texts.ts'
import classes from './review.module.css'

/** `after`: what the second side is called; left out where nothing was before. */
type ListProps = { differences: readonly Difference[]; label: string; after?: string }

/** Each difference with what was on one side and what is on the other; below each other on a phone. */
export function DifferenceList({ differences, label, after }: ListProps) {
  const t = useReviewTexts()
  const title = useTitle()
  const value = useValue()
  if (differences.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('none')}
      </Text>
    )
  return (
    <Stack gap="sm" component="ul" m={0} p={0} style={{ listStyle: 'none' }} aria-label={label}>
      {differences.map((difference, index) => (
        <li key={index}>
          <Text size="sm" fw={600} mb={4}>
            {title(difference)}
          </Text>
          {after === undefined ? (
            value(difference, difference.after)
          ) : (
            <div className={classes.sides}>
              <Side name={t('before')} isBefore>
                {value(difference, difference.before)}
              </Side>
              <Side name={after}>{value(difference, difference.after)}</Side>
            </div>
          )}
        </li>
      ))}
    </Stack>
  )
}

function Side({ name, isBefore, children }: { name: string; isBefore?: boolean; children: ReactNode }) {
  return (
    <div className={classes.side} data-before={isBefore || undefined}>
      <Text size="xs" c="dimmed">
        {name}
      </Text>
      {children}
    </div>
  )
}

function useTitle(): (difference: Difference) => string {
  const t = useCampaignTexts()
  const composer = useComposerTexts()
  const variants = useVariantTexts()
  const format = useFormat()
  return (difference) => {
    switch (difference.part) {
      case 'words':
      case 'template':
      case 'mail': {
        const { locale, variant } = difference
        const parts = [
          format.language(locale),
          ...(variant === null ? [] : [variants('variant', { name: variant })]),
          difference.part === 'words'
            ? composer(`member_${difference.member}`)
            : difference.part === 'mail'
              ? t('mail')
              : composer('template'),
        ]
        return parts.join(' · ')
      }
      case 'variants':
        return `${format.language(difference.locale)} · ${t('variants')}`
      case 'placementIds':
        return `${format.language(difference.locale)} · ${t('placements')}`
      case 'inbox':
        return `${format.language(difference.locale)} · ${t('inInbox')}`
      case 'shorten':
        return `${format.language(difference.locale)} · ${t('shortLink')}`
      case 'urgency':
        return `${format.language(difference.locale)} · ${t('urgency')}`
      case 'data':
        return `${format.language(difference.locale)} · data`
      case 'segments':
        return t('audience')
      case 'dispatchChannels':
        return t('channels')
      case 'controlPercent':
        return t('controlGroup')
      case 'schedule':
        return t('window')
      case 'type':
        return t('goal')
      default:
        return t(difference.part)
    }
  }
}

function useValue(): (difference: Difference, value: unknown) => ReactNode {
  const t = useReviewTexts()
  const words = usePartWords()
  const goalName = useGoalName()
  const format = useFormat()
  const said = (difference: Difference, value: unknown): string[] => {
    if (value === undefined || value === '') return []
    switch (difference.part) {
      case 'segments':
        return [words.audience(value as string[])]
      case 'dispatchChannels':
        return [words.channels(value as string[])]
      case 'controlPercent':
        return [words.control(value as number)]
      case 'schedule': {
        const window = value as Window
        const holds = words.holds(window).map(({ name, text }) => `${name}: ${text}`)
        return [words.window(window), ...holds, ...(window.timezone ? [window.timezone.replaceAll('_', ' ')] : [])]
      }
      case 'type':
        return [goalName(value as string)]
      case 'variants':
        return (value as { id: string; weight: number }[]).map(({ id, weight }) => `${id}: ${format.number(weight)}`)
      case 'template': {
        const { id, variables = {} } = value as WhatsappTemplate
        return [id, ...Object.entries(variables).map(([name, text]) => `${name}: ${text}`)]
      }
      case 'placementIds':
        return value as string[]
      case 'inbox':
        return [words.inbox((value as InboxStay).days)]
      case 'shorten':
        return [words.shorten(value === true)]
      default:
        return [typeof value === 'string' ? value : JSON.stringify(value)]
    }
  }
  return (difference, value) => {
    const lines = said(difference, value)
    const dir = difference.part === 'words' || difference.part === 'mail' ? (isRightToLeft(difference.locale) ? 'rtl' : 'ltr') : undefined
    if (lines.length === 0)
      return (
        <Text size="sm" c="dimmed">
          {t('nothing')}
        </Text>
      )
    return lines.map((line) => (
      <Text key={line} size="sm" dir={dir} className="cf-foreign" style={{ whiteSpace: 'pre-wrap' }}>
        {line}
      </Text>
    ))
  }
}
