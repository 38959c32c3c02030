import { Alert, Anchor, Group, Radio, Select, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconAlertTriangle, IconDevices } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { targetOf } from '@contentflow/core/blocks/serving/select-blocks.ts'
import { call } from '../../../../api.ts'
import { useRead } from '../../../../data.ts'
import { useFormat } from '../../../../format.ts'
import { useSession } from '../../../../session.tsx'
import { Section } from '../../../../ui/section.tsx'
import { instancePath, type Impact, type Segment } from '../api.ts'
import { useEditor } from '../editor-context.tsx'
import { useTexts } from '../texts.ts'
import { ANCHORS } from './setting-bar.tsx'

/** Who gets it: everyone, or the people of one segment. */
export function AudienceSection() {
  const t = useTexts()
  const { content, change, isReadOnly } = useEditor()
  const segment = targetOf(content.seg)
  const [wantsSegment, setWantsSegment] = useState(segment !== undefined)
  const isSegment = segment !== undefined || wantsSegment
  const choose = (choice: string) => {
    setWantsSegment(choice === 'segment')
    if (choice === 'everyone' && segment !== undefined) change({ setting: 'seg' }, undefined)
  }
  return (
    <Section anchor={ANCHORS.who} title={t('who')}>
      <Radio.Group value={isSegment ? 'segment' : 'everyone'} onChange={choose} aria-label={t('who')} readOnly={isReadOnly}>
        <Group gap="lg">
          <Radio value="everyone" label={t('everyone')} disabled={isReadOnly && isSegment} />
          <Radio value="segment" label={t('aSegment')} disabled={isReadOnly && !isSegment} />
        </Group>
      </Radio.Group>
      {isSegment && <SegmentPicker name={segment} />}
      {(!isSegment || segment !== undefined) && <DeviceCount seg={segment ?? null} />}
    </Section>
  )
}

function SegmentPicker({ name }: { name: string | undefined }) {
  const t = useTexts()
  const format = useFormat()
  const { workspace } = useSession()
  const { change, isReadOnly } = useEditor()
  const [text, setText] = useState(name ?? '')
  const [search] = useDebouncedValue(text === name ? '' : text, 250)
  const found = useRead<{ segments: Segment[] }>('/segments', { search, limit: 50 })
  const segments = found.data?.segments ?? []
  const chosen = segments.find((segment) => segment.name === name)
  const names = segments.map((segment) => segment.name)
  return (
    <Stack gap="xs">
      <Select
        aria-label={t('segment')}
        placeholder={t('chooseSegment')}
        data={name !== undefined && !names.includes(name) ? [name, ...names] : names}
        value={name ?? null}
        searchable
        searchValue={text}
        onSearchChange={setText}
        filter={({ options }) => options}
        nothingFoundMessage={t('nothingFound')}
        readOnly={isReadOnly}
        allowDeselect={false}
        onChange={(next) => next && change({ setting: 'seg' }, next)}
        maw={420}
      />
      {chosen && (
        <Text size="sm" c="dimmed">
          <Anchor component={Link} to={`/w/${workspace.id}/segments/${chosen.id}`} size="sm" underline="always">
            {t('seeSegment')}
          </Anchor>
          {' · '}
          {chosen.fewerThan !== undefined
            ? t('fewerThanFive')
            : t('people', { count: chosen.memberCount, shown: format.number(chosen.memberCount) })}
          {chosen.excludedSegments.length > 0 && ` · ${t('without', { names: format.list(chosen.excludedSegments) })}`}
        </Text>
      )}
      {segments.length === 0 && search === '' && found.isSuccess && (
        <Text size="sm" c="dimmed">
          {t('noSegments')}{' '}
          <Anchor component={Link} to={`/w/${workspace.id}/segments/new`} size="sm" underline="always">
            {t('makeSegment')}
          </Anchor>
        </Text>
      )}
    </Stack>
  )
}

/** Devices it would reach now, for what is chosen in the form. */
function DeviceCount({ seg }: { seg: string | null }) {
  const t = useTexts()
  const format = useFormat()
  const { workspace } = useSession()
  const { instance } = useEditor()
  const path = `${instancePath(instance.blockKey, instance.id)}/impact`
  const { data, error } = useQuery({
    queryKey: [workspace.id, path, seg],
    queryFn: async ({ signal }) =>
      (await call<Impact>(path, { method: 'POST', body: { seg }, workspaceId: workspace.id, signal })).data.audience,
    refetchInterval: 60_000,
  })
  if (error)
    return (
      <Text size="sm" c="dimmed">
        {t('countFailed')}
      </Text>
    )
  if (data && !data.isKnown)
    return (
      <Alert color="orange" icon={<IconAlertTriangle aria-hidden />} role="status">
        {t('segmentUnknown', { name: seg ?? '' })}
      </Alert>
    )
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start" mih={44} aria-live="polite">
      <IconDevices size={20} stroke={1.5} aria-hidden />
      <Stack gap={0}>
        <Text size="sm" fw={500}>
          {data ? t('devices', { count: data.devices, shown: format.number(data.devices) }) : '…'}
        </Text>
        <Text size="xs" c="dimmed">
          {seg === null ? t('devicesOfEveryone') : t('devicesOfSegment')}
          {data && ` ${t('countedAt', { time: format.time(data.asOf) })}`}
        </Text>
      </Stack>
    </Group>
  )
}
