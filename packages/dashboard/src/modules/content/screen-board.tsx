import { Button, Chip, Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core'
import { IconLayoutGrid, IconLayoutOff } from '@tabler/icons-react'
import { Link } from 'react-router'
import { LIMITS } from '@contentflow/core/limits.ts'
import { usePages } from '../../data.ts'
import { useFormat } from '../../format.ts'
import { useSession } from '../../session.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Failure } from '../../ui/failure.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { NEW_TYPE, typePath, type BlockType, type Summary } from './api.ts'
import { arrangeBoard, type Column } from './board.ts'
import { TypeGroup } from './type-group.tsx'
import { useTexts } from './texts.ts'
import { useAll } from './use-all.ts'
import classes from './content.module.css'

/** Instances that are read without asking; more than a person can look through. */
const READ_AT_ONCE = 1000

/** Every screen of the app as a column of its block types. `onNew` asks for an instance of a type. */
export function ScreenBoard({ onNew }: { onNew: ((blockKey: string) => void) | undefined }) {
  const t = useTexts()
  const format = useFormat()
  const { workspace, mayEdit } = useSession()
  const [screen, setScreen] = useUrlState('screen')
  const types = useAll(usePages<BlockType>('/blocks', 'blocks', { limit: 200 }), LIMITS.definitionsPerManifest)
  const instances = useAll(usePages<Summary>('/instances', 'instances', { limit: 200, screen }, { every: 30_000 }), READ_AT_ONCE)
  const failed = [types, instances].find(({ error, items }) => error && items.length === 0)
  if (failed?.error) return <Failure error={failed.error} onRetry={failed.retry} />
  if (types.isLoading || instances.isLoading) return <LoadingBoard />
  if (types.items.length === 0)
    return (
      <Paper withBorder p="md">
        <EmptyState icon={IconLayoutGrid} title={t('emptyTitle')} text={t('emptyText')}>
          {mayEdit && (
            <Button component={Link} to={typePath(workspace.id, NEW_TYPE)}>
              {t('newType')}
            </Button>
          )}
        </EmptyState>
      </Paper>
    )
  const board = arrangeBoard(types.items, instances.items, instances.hasMore)
  const shown = board.filter((column) => screen === '' || column.screen === screen)
  return (
    <Stack gap="sm">
      {board.length > 1 && (
        <Chip.Group value={screen} onChange={(value) => setScreen(value)}>
          <Group gap={6} role="group" aria-label={t('screens')}>
            <Chip value="" size="sm" variant="light">
              {t('allScreens')}
            </Chip>
            {board
              .filter((column) => column.screen !== '')
              .map((column) => (
                <Chip key={column.screen} value={column.screen} size="sm" variant="light">
                  {column.screen}
                </Chip>
              ))}
          </Group>
        </Chip.Group>
      )}
      <Text size="sm" c="dimmed">
        {t(mayEdit ? 'dragHint' : 'viewHint')}
      </Text>
      {shown.length === 0 ? (
        <Paper withBorder p="md">
          <EmptyState icon={IconLayoutOff} title={t('noTypesTitle')} text={t('noTypesText')}>
            <Button variant="default" onClick={() => setScreen('')}>
              {t('allScreens')}
            </Button>
          </EmptyState>
        </Paper>
      ) : (
        <div className={classes.board}>
          {shown.map((column) => (
            <ScreenColumn key={column.screen} column={column} onNew={onNew} />
          ))}
        </div>
      )}
      {instances.error && <Failure error={instances.error} onRetry={instances.retry} />}
      {instances.hasMore && instances.items.length >= READ_AT_ONCE && (
        <Group>
          <Text size="sm" c="dimmed">
            {t('moreToLoad', { shown: format.number(instances.items.length), total: format.number(instances.total ?? 0) })}
          </Text>
          <Button variant="default" size="xs" onClick={instances.loadMore} loading={instances.isMoreLoading}>
            {t('loadMore')}
          </Button>
        </Group>
      )}
    </Stack>
  )
}

function ScreenColumn({ column: { screen, groups }, onNew }: { column: Column; onNew: ((blockKey: string) => void) | undefined }) {
  const t = useTexts()
  const format = useFormat()
  const live = groups.flatMap(({ instances }) => instances).filter(({ state }) => state === 'live').length
  return (
    <section className={classes.column} aria-label={screen || t('noScreen')}>
      <Group justify="space-between" mb="sm" wrap="nowrap">
        <Title order={2} size="h3" style={{ overflowWrap: 'anywhere' }}>
          {screen || t('noScreen')}
        </Title>
        <Text size="sm" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
          {t('liveCount', { count: live, formatted: format.number(live) })}
        </Text>
      </Group>
      <div className={classes.types}>
        {groups.map((group) => (
          <TypeGroup key={group.type.key} group={group} onNew={onNew} />
        ))}
      </div>
    </section>
  )
}

function LoadingBoard() {
  return (
    <div className={classes.board} aria-busy>
      {Array.from({ length: 3 }, (_, index) => (
        <div key={index} className={classes.column}>
          <Stack gap="sm">
            <Skeleton height={20} width="50%" />
            {Array.from({ length: 4 }, (__, row) => (
              <Skeleton key={row} height={64} />
            ))}
          </Stack>
        </div>
      ))}
    </div>
  )
}
