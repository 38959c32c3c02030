import { Button, Chip, Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core'
import { IconLayoutGrid, IconLayoutOff } from '@tabler/icons-react'
import { Link } from 'react-router'
import { LIMITS } from '@contentflow/core/limits.ts'
import { usePages, useRead } from '../../data.ts'
import { useFormat } from '../../format.ts'
import { useLanguage } from '../../i18n.ts'
import { useSession } from '../../session.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Failure } from '../../ui/failure.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { NEW_TYPE, typePath, type BlockType, type Counts, type Summary } from './api.ts'
import { arrangeBoard, READ_FIRST, type Column } from './board.ts'
import { TypeGroup } from './type-group.tsx'
import { useTexts } from './texts.ts'
import { useAll } from './use-all.ts'
import classes from './content.module.css'

/** Every screen of the app as a column of its block types. `onNew` asks for an instance of a type. */
export function ScreenBoard({ onNew }: { onNew: ((blockKey: string) => void) | undefined }) {
  const t = useTexts()
  const { workspace, mayEdit } = useSession()
  const [screen, setScreen] = useUrlState('screen')
  const types = useAll(usePages<BlockType>('/blocks', 'blocks', { limit: 200 }), LIMITS.definitionsPerManifest)
  const counts = useRead<Counts>('/content/counts', {}, { every: 30_000 })
  if (types.error && types.items.length === 0) return <Failure error={types.error} onRetry={types.retry} />
  if (counts.error && !counts.data) return <Failure error={counts.error} onRetry={() => void counts.refetch()} />
  if (types.isLoading || !counts.data) return <LoadingBoard />
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
  const board = arrangeBoard(types.items, counts.data.types)
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
    </Stack>
  )
}

type ColumnProps = { column: Column; onNew: ((blockKey: string) => void) | undefined }

/** Each screen reads the first instances of its types by itself, so a large one does not delay the others. */
function ScreenColumn({ column: { screen, groups, live }, onNew }: ColumnProps) {
  const t = useTexts()
  const format = useFormat()
  const query = { limit: 200, perType: READ_FIRST, labelLocale: useLanguage(), ...(screen === '' ? { screenless: true } : { screen }) }
  const pages = useAll(usePages<Summary>('/instances', 'instances', query, { every: 30_000 }), Infinity)
  const byKey = Map.groupBy(pages.items, ({ blockKey }) => blockKey)
  // Instances come by block key, so some of the last key may not be loaded yet.
  const isLoaded = (key: string) => pages.total !== undefined && (!pages.hasMore || key < (pages.items.at(-1)?.blockKey ?? ''))
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
          <TypeGroup
            key={group.type.key}
            group={group}
            first={isLoaded(group.type.key) ? (byKey.get(group.type.key) ?? []) : undefined}
            onNew={onNew}
          />
        ))}
      </div>
      {pages.error && <Failure error={pages.error} onRetry={pages.retry} />}
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
