import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { inLanguage, type Locale } from './api.ts'
import { useHistoryTexts } from './history-texts.ts'

/** The current text, which the author of another one did not know. */
export type Theirs = { text: string | null; etag: string }

type TextConflictProps = {
  mine: string
  theirs: Theirs
  locale: Locale | undefined
  isBusy: boolean
  onMine: () => void
  onTheirs: () => void
}

/** Both texts beside each other; one is chosen. */
export function TextConflict({ mine, theirs, locale, isBusy, onMine, onTheirs }: TextConflictProps) {
  const t = useHistoryTexts()
  return (
    <Alert color="orange" role="alert" icon={<IconAlertTriangle aria-hidden />} title={t('conflictTitle')}>
      <Stack gap="xs">
        <Text size="sm">{t('conflictText')}</Text>
        <Side title={t('yours')} text={mine} locale={locale} />
        <Side title={t('theirs')} text={theirs.text} locale={locale} />
        <Group gap="xs">
          <Button size="compact-sm" loading={isBusy} onClick={onMine}>
            {t('keepMine')}
          </Button>
          <Button size="compact-sm" variant="default" disabled={isBusy} onClick={onTheirs}>
            {t('takeTheirs')}
          </Button>
        </Group>
      </Stack>
    </Alert>
  )
}

export function Side({ title, text, locale }: { title: string; text: string | null; locale: Locale | undefined }) {
  const t = useHistoryTexts()
  return (
    <div>
      <Text size="xs" fw={600}>
        {title}
      </Text>
      {text === null ? (
        <Text size="sm" fs="italic">
          {t('nothing')}
        </Text>
      ) : (
        <Text size="sm" {...inLanguage(locale)} className="cf-foreign" style={{ whiteSpace: 'pre-wrap' }}>
          {text}
        </Text>
      )}
    </div>
  )
}
