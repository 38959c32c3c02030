import { Anchor, Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import type { ProviderName } from '@contentflow/core/channels/providers.ts'
import { isolate } from '../../../i18n.ts'
import { DOCUMENTS, memberName, neededMembers, providerName } from './providers.ts'
import { useProviderTexts } from './texts-providers.ts'
import { useChannelTexts } from './texts.ts'

/** A provider that could be connected, and what is needed for it. */
export function ProviderCard({ provider, onConnect }: { provider: ProviderName; onConnect: (provider: ProviderName) => void }) {
  const t = useChannelTexts()
  const say = useProviderTexts()
  const label = providerName(provider, say)
  const documents = DOCUMENTS[provider]
  return (
    <Paper withBorder p="md" component="li">
      <Stack gap="xs" h="100%" justify="space-between">
        <Stack gap={4}>
          <Title order={4} size="md">
            <bdi>{label}</bdi>
          </Title>
          <Text size="sm">{say(`about_${provider}`)}</Text>
          <Text size="sm" c="dimmed">
            {t('needs', {
              list: neededMembers(provider)
                .map((member) => isolate(memberName(member, say)))
                .join(t('comma')),
            })}
          </Text>
        </Stack>
        <Group justify="space-between" gap="xs">
          <Button size="xs" variant="default" aria-label={t('connectTo', { provider: label })} onClick={() => onConnect(provider)}>
            {t('connect')}
          </Button>
          {documents !== undefined && (
            <Anchor href={documents} target="_blank" rel="noopener noreferrer" size="sm" aria-label={t('documentsOf', { provider: label })}>
              <Group gap={4} wrap="nowrap" component="span">
                {t('documents')}
                <IconExternalLink size={14} aria-hidden className="cf-mirrored" />
              </Group>
            </Anchor>
          )}
        </Group>
      </Stack>
    </Paper>
  )
}
