import { Button, Group, Stack, Table, Text } from '@mantine/core'
import { IconUserCog } from '@tabler/icons-react'
import { useState } from 'react'
import type { AccessRole } from '@contentflow/server/wire.ts'
import { useWrite } from '../../../data.ts'
import { useSession } from '../../../session.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { EditedList } from '../edited-list.tsx'
import { OnlyFor } from '../notes.tsx'
import { ROLES, useRoles } from './api.ts'
import { RoleForm } from './role-form.tsx'
import { useAccessTexts } from './texts.ts'

/** Roles that this workspace made. */
export function RolesSection() {
  const t = useAccessTexts()
  const { mayAdmin } = useSession()
  const read = useRoles()
  return (
    <EditedList
      texts={{ title: t('roles'), text: t('rolesText'), add: t('addRole'), emptyTitle: t('noRoles'), emptyText: t('noRolesText') }}
      icon={IconUserCog}
      read={{ ...read, data: read.data?.roles }}
      renderTable={(roles, onEdit) => <RoleTable roles={roles} onEdit={onEdit} />}
      renderForm={(role, onClose) => <RoleForm role={role} onClose={onClose} />}
    >
      {!mayAdmin && <OnlyFor who="admins" />}
    </EditedList>
  )
}

function RoleTable({ roles, onEdit }: { roles: readonly AccessRole[]; onEdit: ((role: AccessRole) => void) | undefined }) {
  const t = useAccessTexts()
  const [leaving, setLeaving] = useState<AccessRole>()
  const remove = useWrite<string>((id) => ({ method: 'DELETE', path: `${ROLES}/${id}` }), {
    stale: [ROLES],
    done: t('removed'),
    showsError: true,
  })
  return (
    <Table.ScrollContainer minWidth={320}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('name')}</Table.Th>
            <Table.Th visibleFrom="sm">{t('usedBy')}</Table.Th>
            {onEdit && (
              <Table.Th>
                <span className="cf-visually-hidden">{t('edit')}</span>
              </Table.Th>
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {roles.map((role) => (
            <Table.Tr key={role.id}>
              <Table.Td>
                <Stack gap={0}>
                  <Text size="sm" fw={600} dir="auto">
                    {role.name}
                  </Text>
                  <Text size="xs" c="dimmed">
                    {t('count', { count: role.permissions.length })}
                  </Text>
                </Stack>
              </Table.Td>
              <Table.Td visibleFrom="sm">{t('usedByText', { members: role.members, services: role.serviceAccounts })}</Table.Td>
              {onEdit && (
                <Table.Td>
                  <Group gap="xs" justify="flex-end">
                    <Button size="xs" variant="default" aria-label={`${t('edit')}: ${role.name}`} onClick={() => onEdit(role)}>
                      {t('edit')}
                    </Button>
                    <Button
                      size="xs"
                      variant="default"
                      aria-label={`${t('remove')}: ${role.name}`}
                      disabled={role.members + role.serviceAccounts > 0}
                      onClick={() => setLeaving(role)}
                    >
                      {t('remove')}
                    </Button>
                  </Group>
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Confirm
        isOpen={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        title={t('removeRoleTitle')}
        action={t('remove')}
        isBusy={remove.isPending}
        isDangerous
        onConfirm={() => leaving && remove.mutate(leaving.id, { onSuccess: () => setLeaving(undefined) })}
      >
        <Stack gap="xs">
          {t('removeRoleText')}
          {remove.error && <Failure error={remove.error} />}
        </Stack>
      </Confirm>
    </Table.ScrollContainer>
  )
}
