import { ActionIcon, Alert, Drawer, Grid, Group, Paper, SegmentedControl, Skeleton, Stack, Tooltip } from '@mantine/core'
import { useLocalStorage, useMediaQuery } from '@mantine/hooks'
import { IconArrowBackUp, IconArrowForwardUp, IconLock } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { KeepFocus } from '../../ui/dialog.tsx'
import { useEditor } from './editor-context.tsx'
import { FaultList } from './panel/fault-list.tsx'
import { PanelTitle, StepPanel } from './panel/step-panel.tsx'
import { StepList } from './steps/step-list.tsx'
import { useTexts } from './texts.ts'

const Canvas = lazy(async () => ({ default: (await import('./canvas/canvas.tsx')).Canvas }))

type EditorProps = { undo: (() => void) | undefined; redo: (() => void) | undefined }

/** The steps, with what is selected beside them; on a phone a list, with what is selected over it. */
export function Editor({ undo, redo }: EditorProps) {
  const t = useTexts()
  const { selected, select, faults, isLocked } = useEditor()
  const isPhone = useMediaQuery('(max-width: 700px)', false, { getInitialValueInEffect: false })
  const [view, setView] = useLocalStorage({ key: 'cf.journeys.view', defaultValue: 'canvas', getInitialValueInEffect: false })
  const isList = isPhone || view === 'list'
  const steps = isList ? (
    <StepList />
  ) : (
    <Suspense fallback={<Skeleton height={420} />}>
      <Canvas />
    </Suspense>
  )
  return (
    <Stack gap="sm">
      {isLocked && (
        <Alert color="gray" icon={<IconLock aria-hidden />} p="xs">
          {t('editActive')}
        </Alert>
      )}
      <FaultList faults={faults.get('journey') ?? []} />
      <Group justify="space-between">
        <Group gap={4} {...(isLocked && { display: 'none' })}>
          <UndoButton label={t('undo')} icon={IconArrowBackUp} onClick={undo} />
          <UndoButton label={t('redo')} icon={IconArrowForwardUp} onClick={redo} />
        </Group>
        {!isPhone && (
          <SegmentedControl
            size="xs"
            aria-label={t('view')}
            data={[
              { value: 'canvas', label: t('viewCanvas') },
              { value: 'list', label: t('viewList') },
            ]}
            value={isList ? 'list' : 'canvas'}
            onChange={setView}
          />
        )}
      </Group>
      {isPhone ? (
        <>
          {steps}
          <Drawer opened={selected !== undefined} onClose={() => select(undefined)} title={<PanelTitle />} position="bottom" size="85%">
            <KeepFocus />
            <StepPanel hasHead={false} />
          </Drawer>
        </>
      ) : (
        <Grid gap="md">
          <Grid.Col span={{ base: 7, lg: 8 }}>{steps}</Grid.Col>
          <Grid.Col span={{ base: 5, lg: 4 }}>
            <Paper withBorder p="md" style={{ position: 'sticky', insetBlockStart: 72 }}>
              <StepPanel hasHead />
            </Paper>
          </Grid.Col>
        </Grid>
      )}
    </Stack>
  )
}

function UndoButton({ label, icon: Picture, onClick }: { label: string; icon: typeof IconLock; onClick: (() => void) | undefined }) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="default" size="lg" aria-label={label} disabled={!onClick} onClick={() => onClick?.()}>
        <Picture size={18} aria-hidden className="cf-mirrored" />
      </ActionIcon>
    </Tooltip>
  )
}
