import { Accordion, Anchor, Skeleton, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { useRead } from '../../data.ts'
import { useSession } from '../../session.tsx'
import { Failure } from '../../ui/failure.tsx'
import { useFirstRows } from '../../ui/first-rows.tsx'
import { Section } from '../../ui/section.tsx'
import type { Segment } from '../segments/api.ts'
import { WhyMember } from '../segments/explanation.tsx'
import type { Subject } from './api.ts'
import { useTexts } from './texts.ts'

const FIRST_SEGMENTS = 8

/** The person's segments, each with the reason when it is opened. */
export function SegmentsSection({ names, subject }: { names: string[]; subject: Subject }) {
  const t = useTexts()
  const [opened, setOpened] = useState<string | null>(null)
  const { shown, more } = useFirstRows(names, t('segments'), FIRST_SEGMENTS)
  return (
    <Section title={t('segments')}>
      {names.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('noSegments')}
        </Text>
      ) : (
        <Accordion value={opened} onChange={setOpened} variant="separated" order={3}>
          {shown.map((name) => (
            <Accordion.Item key={name} value={name}>
              <Accordion.Control aria-label={`${name}: ${t('whySegment')}`}>
                <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
                  {name}
                </Text>
              </Accordion.Control>
              <Accordion.Panel>{opened === name && <Reason name={name} subject={subject} />}</Accordion.Panel>
            </Accordion.Item>
          ))}
        </Accordion>
      )}
      {more}
    </Section>
  )
}

function Reason({ name, subject }: { name: string; subject: Subject }) {
  const t = useTexts()
  const { workspace } = useSession()
  const { data, error, refetch, isPlaceholderData } = useRead<{ segments: Segment[] }>('/segments', { search: name, limit: 200 })
  if (error) return <Failure error={error} onRetry={() => void refetch()} />
  if (!data || isPlaceholderData) return <Skeleton height={60} />
  const segment = data.segments.find((each) => each.name === name)
  if (!segment) return <Text size="sm">{t('segmentGone')}</Text>
  return (
    <Stack gap="sm">
      <WhyMember segmentId={segment.id} name={name} person={subject.id} environment={subject.environment} />
      <Anchor component={Link} to={`/w/${workspace.id}/segments/${segment.id}`} size="sm">
        {t('openSegment')}
      </Anchor>
    </Stack>
  )
}
