import { Box, Button, Code, CopyButton, Group, Tabs, Text } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import type { KeyKind, ShownKey } from '../api.ts'
import { samplesOf } from './key-sample.ts'
import { SecretDialog } from '../secret-dialog.tsx'
import classes from '../settings.module.css'
import { useKeysTexts } from './texts-keys.ts'

/** The only time a key is seen. */
export function ShowKey({ shown, onClose }: { shown: ShownKey; onClose: () => void }) {
  const t = useKeysTexts()
  return (
    <SecretDialog title={t('shownTitle')} warning={t(shown.kind === 'publishable' ? 'shownPublic' : 'shownSecret')} onClose={onClose}>
      <Group className={classes.secret} justify="space-between" gap="sm">
        <Text className="cf-code" ta="start" data-testid="key-text" style={{ overflowWrap: 'anywhere', flex: '1 1 260px' }}>
          {shown.key}
        </Text>
        <CopyText value={shown.key} label={t('copyKey')} />
      </Group>
      <KeySamples kind={shown.kind} text={shown.key} />
    </SecretDialog>
  )
}

/** Code that works unchanged with this server. */
export function KeySamples({ kind, text }: { kind: KeyKind; text: string }) {
  const t = useKeysTexts()
  const samples = samplesOf(kind, text, location.origin)
  return (
    <Tabs defaultValue={samples[0]?.language} keepMounted={false} variant="outline">
      <Tabs.List aria-label={t('code')}>
        {samples.map(({ language }) => (
          <Tabs.Tab key={language} value={language}>
            {t(`code_${language}`)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {samples.map(({ language, code }) => (
        <Tabs.Panel key={language} value={language} pt="sm">
          <Box dir="ltr">
            <Code block tabIndex={0} aria-label={t(`code_${language}`)} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
              {code}
            </Code>
          </Box>
          <Group mt="xs">
            <CopyText value={code} label={t('copyCode')} />
          </Group>
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}

function CopyText({ value, label }: { value: string; label: string }) {
  const t = useKeysTexts()
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <Button
          size="xs"
          variant="default"
          onClick={copy}
          leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
        >
          {copied ? t('copied') : label}
        </Button>
      )}
    </CopyButton>
  )
}
