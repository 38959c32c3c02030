import { Anchor, Group, List, Loader, Paper, Skeleton, Stack, Text, Title } from '@mantine/core'
import { Link } from 'react-router'
import { Failure } from '../../ui/failure.tsx'
import { useFormat } from '../../format.ts'
import { useSession } from '../../session.tsx'
import type { Preview } from './api.ts'
import { useTexts } from './texts.ts'
import { personPath } from '../../person-path.ts'

type PanelProps = {
  preview: Preview | undefined
  isLoading: boolean
  isOld: boolean
  isWhole: boolean
  error: Error | null
  onRetry: () => void
}

/** How many people the rows hold for just now, and some of them. The count before stays while the next one is made. */
export function PreviewPanel({ preview, isLoading, isOld, isWhole, error, onRetry }: PanelProps) {
  const t = useTexts()
  return (
    <Paper withBorder p="md" component="section" aria-label={t('previewTitle')}>
      <Stack gap="sm">
        <Group justify="space-between" h={24}>
          <Title order={2} size="h3">
            {t('previewTitle')}
          </Title>
          {isOld && isWhole && <Loader size="xs" aria-label={t('previewOld')} />}
        </Group>
        {error && <Failure error={error} onRetry={onRetry} />}
        {!isWhole && (
          <Text size="sm" c="dimmed">
            {t('previewIncomplete')}
          </Text>
        )}
        {isWhole && isLoading && <Skeleton height={120} />}
        {preview && isWhole && <Found preview={preview} isOld={isOld} />}
      </Stack>
    </Paper>
  )
}

function Found({ preview, isOld }: { preview: Preview; isOld: boolean }) {
  const t = useTexts()
  const format = useFormat()
  return (
    <Stack gap="sm" aria-busy={isOld}>
      <div role="status">
        {preview.fewerThan !== undefined ? (
          <Text span fz={24} fw={650} lh={1.2}>
            {t('fewerThanFive')}
          </Text>
        ) : (
          <>
            <Text span fz={32} fw={650} lh={1.2}>
              {format.number(preview.count)}
            </Text>{' '}
            <Text span>{t('previewPeople', { count: preview.count })}</Text>
          </>
        )}
        <Text size="xs" c="dimmed">
          {t('previewAsOf', { time: format.moment(preview.asOf), ms: format.number(preview.tookMs) })}
        </Text>
        {preview.coverage && !preview.coverage.isWhole && (
          <Text size="xs" c="dimmed">
            {t('previewPart', { from: format.moment(preview.coverage.from) })}
          </Text>
        )}
      </div>
      {preview.sample.length === 0 ? (
        <Text size="sm">{t(preview.fewerThan === undefined && preview.count === 0 ? 'previewNobody' : 'previewNotNamed')}</Text>
      ) : (
        <div>
          <Text size="sm" fw={600}>
            {t('previewSome', { count: preview.sample.length })}
          </Text>
          <List
            listStyleType="none"
            size="sm"
            spacing={2}
            mah={320}
            style={{ overflowY: 'auto' }}
            tabIndex={0}
            aria-label={t('previewSome', { count: preview.sample.length })}
          >
            {preview.sample.map((person) => (
              <List.Item key={`${person.userId} ${person.deviceId}`}>
                <PersonLink {...person} />
              </List.Item>
            ))}
          </List>
        </div>
      )}
    </Stack>
  )
}

/** The name with the id beside it, or the device of an anonymous person. */
export function PersonLink({ userId, deviceId, name }: { userId: string | null; deviceId: string | null; name?: string | null }) {
  const t = useTexts()
  const { workspace } = useSession()
  const id = userId ?? deviceId ?? ''
  return (
    <Anchor component={Link} to={`/w/${workspace.id}${personPath({ userId, deviceId })}`} size="sm" style={{ overflowWrap: 'anywhere' }}>
      {userId === null ? t('anonymous') : (name ?? userId)}{' '}
      {(userId === null || name) && (
        <Text span size="xs" c="dimmed" className="cf-code">
          {id}
        </Text>
      )}
    </Anchor>
  )
}
