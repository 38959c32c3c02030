import { Text } from '@mantine/core'
import { IconUserCog } from '@tabler/icons-react'
import type { AccessRole } from '@contentflow/server/wire.ts'
import { useSession } from '../../../session.tsx'
import { EditedList } from '../edited-list.tsx'
import { EditedTable } from '../edited-table.tsx'
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
  return (
    <EditedTable
      items={roles}
      texts={{ name: t('name'), edit: t('edit') }}
      nameOf={({ name }) => name}
      renderDetail={({ permissions }) => (
        <Text size="xs" c="dimmed">
          {t('count', { count: permissions.length })}
        </Text>
      )}
      columns={[{ head: t('usedBy'), cell: ({ members, serviceAccounts: services }) => t('usedByText', { members, services }) }]}
      onEdit={onEdit}
      removal={{
        path: ROLES,
        stale: [ROLES],
        texts: { action: t('remove'), done: t('removed'), title: () => t('removeRoleTitle'), text: () => t('removeRoleText') },
        isDangerous: true,
        isNeeded: ({ members, serviceAccounts }) => members + serviceAccounts > 0,
      }}
    />
  )
}
