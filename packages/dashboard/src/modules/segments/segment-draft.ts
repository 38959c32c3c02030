/** A segment in the editor, and the faults that prevent saving it. */
import { textLength } from '@contentflow/core/blocks/field.ts'
import type { UpdateFrequency } from '@contentflow/core/targeting/frequency.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { Segment, SegmentBody } from './api.ts'
import { rowFault } from './rules/leaf-check.ts'
import { leavesOf, newGroup, toDraft, toRules, type DraftGroup } from './rules/rule-tree.ts'

export type SegmentDraft = { name: string; root: DraftGroup; excluded: string[]; frequency: UpdateFrequency }

export function newSegment(): SegmentDraft {
  return { name: '', root: newGroup('AND'), excluded: [], frequency: 'realtime' }
}

export function draftOfSegment(segment: Segment): SegmentDraft {
  return { name: segment.name, root: toDraft(segment), excluded: segment.excludedSegments, frequency: segment.updateFrequency }
}

export function toBody({ name, root, excluded, frequency }: SegmentDraft): SegmentBody {
  return { name, ...toRules(root), excludedSegments: excluded, updateFrequency: frequency }
}

export function isSame(a: SegmentDraft, b: SegmentDraft): boolean {
  return JSON.stringify(toBody(a)) === JSON.stringify(toBody(b))
}

/** Whether every row says something; the server may still refuse a pattern. */
export function hasWholeRules({ root }: SegmentDraft): boolean {
  const leaves = leavesOf(root)
  return leaves.length > 0 && leaves.every((leaf) => rowFault(leaf) === undefined)
}

/** M-SEG-02. */
export function hasName({ name }: SegmentDraft): boolean {
  return name.trim() !== '' && textLength(name) <= LIMITS.segmentNameLength
}
