import { ActionIcon, Button, Checkbox, Fieldset, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { LIMITS } from '@contentflow/core/limits.ts'
import { rolesFromGroups } from '@contentflow/core/sign-in/groups.ts'
import type { Role } from '../../../session.tsx'
import { useRoles } from '../access/api.ts'
import { ROLES } from '../api.ts'
import { useSignInTexts } from './texts-sign-in.ts'

/** `roleId`: a role that the workspace made, which counts instead of `role`. */
export type Row = { key: number; group: string; role: Role; roleId: string | undefined; canApprove: boolean }
type MappingEditorProps = { rows: readonly Row[]; onChange: (rows: Row[]) => void; defaultRole: Role | null }

/** Groups and their roles, in order, and what somebody in some of them would be. */
export function MappingEditor({ rows, onChange, defaultRole }: MappingEditorProps) {
  const t = useSignInTexts()
  const change = (row: Row, more: Partial<Row>) => onChange(rows.map((each) => (each === row ? { ...row, ...more } : each)))
  const own = useRoles().data?.roles ?? []
  const choices = [
    ...ROLES.map((id) => ({ value: id, label: t(`role_${id}`) })),
    ...own.map(({ id, name }) => ({ value: id, label: name })),
  ]
  const add = () =>
    onChange([
      ...rows,
      { key: Math.max(0, ...rows.map(({ key }) => key)) + 1, group: '', role: 'viewer', roleId: undefined, canApprove: false },
    ])
  return (
    <Fieldset legend={t('mapping')}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {t('mappingText')}
        </Text>
        {rows.map((row, index) => {
          const number = index + 1
          return (
            <Group key={row.key} gap="xs" align="center">
              <TextInput
                aria-label={t('group', { number })}
                placeholder={t('group', { number })}
                value={row.group}
                onChange={({ currentTarget }) => change(row, { group: currentTarget.value })}
                maxLength={300}
                dir="ltr"
                flex="1 1 180px"
              />
              <NativeSelect
                aria-label={t('groupRole', { number })}
                value={row.roleId ?? row.role}
                onChange={({ currentTarget: { value } }) => {
                  const role = ROLES.find((id) => id === value)
                  change(row, role ? { role, roleId: undefined } : { role: 'viewer', roleId: value })
                }}
                data={choices}
              />
              <Checkbox
                label={t('approves')}
                aria-label={t('groupApproves', { number })}
                checked={row.role === 'admin' || row.canApprove}
                disabled={row.role === 'admin'}
                onChange={({ currentTarget }) => change(row, { canApprove: currentTarget.checked })}
              />
              <ActionIcon
                variant="subtle"
                color="red"
                size="lg"
                aria-label={t('removeRow', { number })}
                onClick={() => onChange(rows.filter((each) => each !== row))}
              >
                <IconTrash size={18} aria-hidden />
              </ActionIcon>
            </Group>
          )
        })}
        {rows.length < LIMITS.groupMappings && (
          <Group>
            <Button variant="default" size="xs" leftSection={<IconPlus size={14} aria-hidden />} onClick={add}>
              {t('addRow')}
            </Button>
          </Group>
        )}
        <Preview rows={rows} defaultRole={defaultRole} nameOf={(role) => choices.find(({ value }) => value === role)?.label ?? role} />
      </Stack>
    </Fieldset>
  )
}

/** Asks the function that the server asks too. */
function Preview({ rows, defaultRole, nameOf }: Pick<MappingEditorProps, 'rows' | 'defaultRole'> & { nameOf: (role: string) => string }) {
  const t = useSignInTexts()
  const [typed, setTyped] = useState('')
  const groups = typed
    .split(',')
    .map((group) => group.trim())
    .filter((group) => group !== '')
  const mapping = rows.map(({ group, role, roleId, canApprove }) => {
    return { group: group.trim(), workspaceId: '', role, ...(roleId !== undefined && { roleId }), canApprove }
  })
  const [would] = rolesFromGroups({ mapping, defaultRole, workspaceIds: [''] }, groups)
  const said = would
    ? t(would.canApprove && would.role !== 'admin' ? 'wouldApprove' : 'wouldBe', { role: nameOf(would.roleId ?? would.role) })
    : t('wouldNot')
  return (
    <Stack gap={4}>
      <TextInput
        label={t('preview')}
        description={t('previewText')}
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        dir="ltr"
        autoComplete="off"
      />
      <Text size="sm" fw={600} role="status">
        {typed.trim() === '' ? '' : said}
      </Text>
    </Stack>
  )
}
