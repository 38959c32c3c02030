import { ActionIcon, Group } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { IconFocusCentered, IconZoomIn, IconZoomOut } from '@tabler/icons-react'
import {
  BaseEdge,
  EdgeLabelRenderer,
  Handle,
  Panel,
  Position,
  ReactFlow,
  useReactFlow,
  useStore,
  type Edge,
  type EdgeProps,
  type Node,
  type NodeProps,
} from '@xyflow/react'
import '@xyflow/react/dist/base.css'
import { hasBranches } from '@contentflow/core/journeys/journey.ts'
import { useEffect, useMemo } from 'react'
import { directionOf, useLanguage } from '../../../i18n.ts'
import { findStep } from '../draft/step-tree.ts'
import { useEditor } from '../editor-context.tsx'
import { AddStep } from '../steps/add-step.tsx'
import { StepCard, TriggerCard } from '../steps/step-card.tsx'
import { branchWords } from '../steps/step-words.ts'
import { useTexts } from '../texts.ts'
import { CARD, layOut, type Box, type Line } from './layout.ts'
import classes from '../journeys.module.css'

type BoxNode = Node<{ box: Box }, 'box'>
/** `x`: where it goes down, as the page is read. */
type LineEdge = Edge<{ line: Line; x: number }, 'line'>

const SIZES = { join: { width: 12, height: 12 }, end: { width: 120, height: 32 } }
const NODE_TYPES = { box: BoxOnCanvas }
const EDGE_TYPES = { line: LineOnCanvas }
const MARGIN = 24
const ZOOM = { least: 0.4, most: 1.25 }

/** The journey from top to bottom; "if met" is on the side where reading begins. */
export function Canvas() {
  const t = useTexts()
  const direction = directionOf(useLanguage())
  const { draft, report } = useEditor()
  const height = report && report.entered > 0 ? CARD.withCounts : CARD.height
  const { ref, width: room } = useElementSize()
  const layout = useMemo(() => layOut(draft.steps, height), [draft.steps, height])
  const side = direction === 'rtl' ? -1 : 1
  const nodes = useMemo(
    () =>
      layout.boxes.map((box): BoxNode => ({
        id: box.id,
        type: 'box',
        position: { x: box.x * side, y: box.y },
        ...(box.kind === 'join' || box.kind === 'end' ? SIZES[box.kind] : { width: CARD.width, height }),
        data: { box },
      })),
    [layout, side, height],
  )
  const edges = useMemo(
    () =>
      layout.lines.map((line): LineEdge => ({
        id: `${line.from} ${line.to} ${line.branch ?? ''}`,
        source: line.from,
        target: line.to,
        type: 'line',
        data: { line, x: line.x * side },
      })),
    [layout, side],
  )
  return (
    <section
      ref={ref}
      className={classes.canvas}
      style={{ height: Math.min(Math.max(layout.height + 2 * MARGIN, 420), 1_600) }}
      aria-label={t('canvasLabel')}
      dir="ltr"
    >
      <ReactFlow
        key={direction}
        nodes={nodes}
        edges={edges}
        nodeTypes={NODE_TYPES}
        edgeTypes={EDGE_TYPES}
        nodeOrigin={[0.5, 0]}
        minZoom={ZOOM.least}
        maxZoom={ZOOM.most}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        disableKeyboardA11y
        zoomOnScroll={false}
        zoomOnDoubleClick={false}
        preventScrolling={false}
        proOptions={{ hideAttribution: true }}
      >
        <Framing width={layout.width} room={room} />
        <Panel position={direction === 'rtl' ? 'top-left' : 'top-right'}>
          <ZoomButtons />
        </Panel>
      </ReactFlow>
    </section>
  )
}

/** Shows the journey from its top, as large as its width allows; again when it grows, or the room does. */
function Framing({ width, room }: { width: number; room: number }) {
  const { setViewport } = useReactFlow()
  // Until then the library ignores moves without an error.
  const isReady = useStore(({ panZoom }) => panZoom !== null)
  useEffect(() => {
    const zoom = Math.max(ZOOM.least, Math.min(1, room / (width + 2 * MARGIN)))
    if (isReady && room > 0) void setViewport({ x: room / 2, y: MARGIN, zoom })
  }, [width, room, isReady, setViewport])
  return null
}

function ZoomButtons() {
  const t = useTexts()
  const { zoomIn, zoomOut, fitView } = useReactFlow()
  return (
    <Group gap={4}>
      <ActionIcon variant="default" aria-label={t('zoomIn')} onClick={() => void zoomIn()}>
        <IconZoomIn size={16} aria-hidden />
      </ActionIcon>
      <ActionIcon variant="default" aria-label={t('zoomOut')} onClick={() => void zoomOut()}>
        <IconZoomOut size={16} aria-hidden />
      </ActionIcon>
      <ActionIcon variant="default" aria-label={t('zoomFit')} onClick={() => void fitView({ padding: 0.05, maxZoom: 1 })}>
        <IconFocusCentered size={16} aria-hidden />
      </ActionIcon>
    </Group>
  )
}

function BoxOnCanvas({ data: { box } }: NodeProps<BoxNode>) {
  const t = useTexts()
  const direction = directionOf(useLanguage())
  return (
    <div dir={direction} className={classes.box}>
      {box.kind !== 'trigger' && <Handle type="target" position={Position.Top} className={classes.handle} isConnectable={false} />}
      {box.kind === 'trigger' && <TriggerCard />}
      {box.step && <StepCard step={box.step} />}
      {box.kind === 'join' && <div className={classes.join} />}
      {box.kind === 'end' && <div className={classes.end}>{t('completed')}</div>}
      {box.kind !== 'end' && <Handle type="source" position={Position.Bottom} className={classes.handle} isConnectable={false} />}
    </div>
  )
}

/** How far below a condition, and above where its branches join, the line turns. */
const TURN = 16

function LineOnCanvas({ sourceX, sourceY, targetX, targetY, data }: EdgeProps<LineEdge>) {
  const t = useTexts()
  const { draft } = useEditor()
  const direction = directionOf(useLanguage())
  if (!data) return null
  const { line, x } = data
  const branching = line.branch && findStep(draft.steps, line.from)
  const name = line.branch && branching && hasBranches(branching) ? branchWords(branching, line.branch, t) : undefined
  const [upper, lower] = [sourceY + TURN, targetY - TURN]
  // Away from where the line turns.
  const middle = (sourceY + targetY) / 2 + (line.branch ? 4 : sourceX === targetX ? 0 : -6)
  const path = `M${sourceX} ${sourceY}V${upper}H${x}V${lower}H${targetX}V${targetY}`
  return (
    <>
      <BaseEdge path={path} className={classes.line} {...(line.isDead && { strokeDasharray: '4 4' })} />
      <EdgeLabelRenderer>
        <div className={classes.lineLabel} dir={direction} style={{ transform: `translate(-50%, -50%) translate(${x}px, ${middle}px)` }}>
          {name !== undefined && <span className={classes.branchName}>{name}</span>}
          <AddStep place={line.place} />
        </div>
      </EdgeLabelRenderer>
    </>
  )
}
