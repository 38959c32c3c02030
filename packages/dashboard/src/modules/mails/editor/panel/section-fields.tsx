import { Select, Stack, Switch } from '@mantine/core'
import { NumberField } from '../../../../ui/fields/number-field.tsx'
import { changeSection, setColumns } from '../document/change-mail.ts'
import { LAYOUTS } from '../document/new-parts.ts'
import type { ColumnSection } from '../document/places.ts'
import { useEditing } from '../editing-context.ts'
import { useTexts } from '../texts.ts'
import { ChoiceField } from './choice-field.tsx'
import { ColourField } from './colour-field.tsx'
import { isWithin } from './node-fields.tsx'
import { ShowToField } from './show-to-field.tsx'

const COUNTS = ['1', '2', '3', '4'] as const

/** Widths that are offered, for as many columns. */
const WIDTHS: { [count: number]: readonly (readonly number[])[] } = {
  2: [LAYOUTS[2], [33, 67], [67, 33], [25, 75], [75, 25]],
  3: [LAYOUTS[3], [25, 50, 25], [50, 25, 25], [25, 25, 50]],
}

export function SectionFields({ section }: { section: ColumnSection }) {
  const t = useTexts()
  const { document, change, endStep } = useEditing()
  const { id, columns, background, padding = 16, keepColumns = false } = section
  const set = (part: { [member: string]: unknown }, group?: string) => change(changeSection(document, id, part), group)
  const count = COUNTS[columns.length - 1] ?? '1'
  const now = columns.map(({ width }) => width).join(' / ')
  const offered = [...new Set([...(WIDTHS[columns.length] ?? []).map((widths) => widths.join(' / ')), now])]
  return (
    <Stack gap="md">
      <ChoiceField
        label={t('columns')}
        values={COUNTS}
        nameOf={(each) => each}
        value={count}
        onChange={(next) => change(setColumns(document, id, LAYOUTS[Number(next) as keyof typeof LAYOUTS]))}
      />
      {columns.length > 1 && (
        <>
          <Select
            label={t('widths')}
            data={offered}
            value={now}
            onChange={(next) => next && change(setColumns(document, id, next.split(' / ').map(Number)))}
            allowDeselect={false}
          />
          <Switch
            label={t('keepColumns')}
            checked={keepColumns}
            onChange={({ currentTarget }) => set({ keepColumns: currentTarget.checked || undefined })}
          />
        </>
      )}
      <ColourField
        key={id}
        label={t('background')}
        value={background}
        onChange={(colour) => set({ background: colour }, `background ${id}`)}
        onBlur={endStep}
        isOptional
      />
      <NumberField
        key={`padding ${id}`}
        label={t('padding')}
        value={padding}
        onChange={(next) => {
          if (isWithin(next, 0, 64)) set({ padding: next }, `padding ${id}`)
        }}
        min={0}
        max={64}
        isWhole
        isNeeded
      />
      <ShowToField section={section} />
    </Stack>
  )
}
