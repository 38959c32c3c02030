import { Box, Code, Stack, Text, Title } from '@mantine/core'
import { CopyField } from '../../../ui/fields/copy-field.tsx'
import { SecretDialog } from '../secret-dialog.tsx'
import classes from '../settings.module.css'
import { useWebhookTexts } from './texts.ts'

const SAMPLE = `import { createHmac, timingSafeEqual } from 'node:crypto'

// body: the raw bytes, before they are parsed. secret: the text above, whole.
function isFromContentFlow(headers, body, secret) {
  const time = headers['x-cf-timestamp'] ?? ''
  const given = Buffer.from(headers['x-cf-signature'] ?? '')
  const hmac = createHmac('sha256', secret)
  const hex = hmac.update(time + '.').update(body).digest('hex')
  const expected = Buffer.from('sha256=' + hex)
  const isRecent = Math.abs(Date.now() / 1000 - Number(time)) < 300
  return isRecent && given.length === expected.length &&
    timingSafeEqual(given, expected)
}`

/** The only time a signing secret is seen. */
export function ShownSecret({ secret, isNew, onClose }: { secret: string; isNew: boolean; onClose: () => void }) {
  const t = useWebhookTexts()
  return (
    <SecretDialog
      title={t('secretTitle')}
      warning={
        <>
          {t('secretText')} {!isNew && t('secretNew')}
        </>
      }
      onClose={onClose}
    >
      <div className={classes.secret} data-testid="secret">
        <CopyField value={secret} label={t('secretLabel')} />
      </div>
      <Stack gap={6}>
        <Title order={3}>{t('howTitle')}</Title>
        <Text size="sm">{t('howText')}</Text>
        <Box dir="ltr">
          <Code block tabIndex={0} aria-label={t('howTitle')} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {SAMPLE}
          </Code>
        </Box>
      </Stack>
    </SecretDialog>
  )
}
