import { Box, Group, Stack, Text, ThemeIcon } from '@mantine/core'
import { IconCheck, IconPlugConnectedX, IconX } from '@tabler/icons-react'
import { CHANNELS } from '@contentflow/core/identity/consent/consent.ts'
import { useLanguage } from '../../i18n.ts'
import { Section } from '../../ui/section.tsx'
import { useDevice, type Answers } from './api.ts'
import type { Environment } from '../../ui/environment.tsx'
import { labelOf } from './decisions.ts'
import { blockOf, isAddressMissingOnly, type Block, type Reachable } from './reach.ts'
import { useTexts } from './texts.ts'
import { useTopicLabel } from './use-topic-label.ts'

/** Every channel with a yes, or a no and its reason. */
export function ReachSection({ reachable }: { reachable: Reachable }) {
  const t = useTexts()
  return (
    <Section title={t('reach')}>
      <Stack gap="sm">
        <Text size="xs" c="dimmed">
          {t('reachNote')}
        </Text>
        {CHANNELS.map((channel) => {
          const block = blockOf(channel, reachable)
          return (
            <Verdict key={channel} verdict={verdictOf(block)} title={t(`channel_${channel}`)}>
              {block && t(`block_${block}`)}
            </Verdict>
          )
        })}
      </Stack>
    </Section>
  )
}

const VERDICTS = {
  yes: { text: 'mayUse', icon: IconCheck, color: 'teal' },
  unreachable: { text: 'agreedUnreachable', icon: IconPlugConnectedX, color: 'yellow' },
  no: { text: 'mayNotUse', icon: IconX, color: 'gray' },
} as const

function verdictOf(block: Block | undefined): keyof typeof VERDICTS {
  if (block === undefined) return 'yes'
  return isAddressMissingOnly(block) ? 'unreachable' : 'no'
}

function Verdict({ verdict, title, children }: { verdict: keyof typeof VERDICTS; title: string; children: React.ReactNode }) {
  const t = useTexts()
  const { text, icon: Picture, color } = VERDICTS[verdict]
  return (
    <Group gap="sm" wrap="nowrap" align="flex-start">
      <ThemeIcon size={22} radius="xl" variant="light" color={color} mt={2}>
        <Picture size={14} aria-hidden />
      </ThemeIcon>
      <Box>
        <Text size="sm">
          <Text span fw={600}>
            {title}
          </Text>{' '}
          · {t(text)}
        </Text>
        {children && (
          <Text size="xs" c="dimmed">
            {children}
          </Text>
        )}
      </Box>
    </Group>
  )
}

/** Topics and required consents as they stand; the server tells them with any device of the person. */
export function AnswersSection({ deviceId, environment }: { deviceId: string | undefined; environment: Environment }) {
  const t = useTexts()
  const { data } = useDevice(deviceId, environment)
  const isNone = !data || Object.keys(data.topics).length + Object.keys(data.requiredConsents).length === 0
  if (isNone) return null
  return (
    <Section title={t('answers')}>
      <Stack gap="sm">
        <AnswerList kind="required" answers={data.requiredConsents} />
        <AnswerList kind="topic" answers={data.topics} />
      </Stack>
    </Section>
  )
}

function AnswerList({ kind, answers }: { kind: 'topic' | 'required'; answers: Answers }) {
  const t = useTexts()
  const language = useLanguage()
  const topicLabel = useTopicLabel()
  const labelFor = (id: string) => (kind === 'topic' ? topicLabel(id) : undefined) ?? labelOf(kind, id, null, language)
  return Object.entries(answers).map(([id, isYes]) => {
    const Picture = isYes ? IconCheck : IconX
    return (
      <Group key={id} gap="sm" wrap="nowrap" align="flex-start">
        <ThemeIcon size={22} radius="xl" variant="light" color={isYes ? 'teal' : 'gray'} mt={2}>
          <Picture size={14} role="img" aria-label={t(isYes ? 'yes' : 'no')} />
        </ThemeIcon>
        <Text size="sm">{labelFor(id)}</Text>
      </Group>
    )
  })
}
