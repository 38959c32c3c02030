import { Group, Kbd, Table, Text } from '@mantine/core'
import { useTexts } from '../texts.ts'
import { Dialog } from '../../../ui/dialog.tsx'

const KEYS = [
  { keys: ['j', 'k'], text: 'helpMove' },
  { keys: ['←', '→'], text: 'helpAside' },
  { keys: ['e', 'Enter'], text: 'helpEdit' },
  { keys: ['a'], text: 'helpApprove' },
  { keys: ['n'], text: 'helpNext' },
  { keys: ['x'], text: 'helpSelect' },
  { keys: ['o'], text: 'helpOpen' },
  { keys: ['?'], text: 'helpHelp' },
] as const

const EDITOR_KEYS = [
  { keys: ['Enter'], text: 'helpSave' },
  { keys: ['Ctrl Enter'], text: 'helpSaveApprove' },
  { keys: ['Shift Enter'], text: 'helpLine' },
  { keys: ['Esc'], text: 'helpLeave' },
] as const

/** The keys of the table and of the field that a text is typed into. */
export function KeyHelp({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const t = useTexts()
  return (
    <Dialog opened={isOpen} onClose={onClose} title={t('helpTitle')}>
      <KeyTable label={t('helpInTable')} rows={KEYS.map(({ keys, text }) => ({ keys, text: t(text) }))} />
      <KeyTable label={t('helpInField')} rows={EDITOR_KEYS.map(({ keys, text }) => ({ keys, text: t(text) }))} />
      <Text size="xs" c="dimmed" mt="sm">
        {t('helpKeyboards')}
      </Text>
    </Dialog>
  )
}

function KeyTable({ label, rows }: { label: string; rows: { keys: readonly string[]; text: string }[] }) {
  return (
    <Table verticalSpacing={6} mb="sm">
      <Table.Caption style={{ captionSide: 'top', textAlign: 'start' }}>{label}</Table.Caption>
      <Table.Tbody>
        {rows.map(({ keys, text }) => (
          <Table.Tr key={text}>
            <Table.Td w={140}>
              <Group gap={4} dir="ltr">
                {keys.map((key) => (
                  <Kbd key={key}>{key}</Kbd>
                ))}
              </Group>
            </Table.Td>
            <Table.Td>{text}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
