import { ActionIcon, Badge, Box, Checkbox, Flex, Group, NativeSelect, Stack, Text, Tooltip } from '@mantine/core'
import { IconKey, IconTrash } from '@tabler/icons-react'
import type { Role } from '../../../session.tsx'
import type { Column } from '../../../ui/listing.tsx'
import { ROLES, type Member } from '../api.ts'
import { useMembersTexts } from './texts-members.ts'

type RowActions = {
  onRole: (member: Member, role: Role) => void
  onOwnRole: (member: Member, roleId: string) => void
  /** Roles that the workspace made. */
  ownRoles: readonly { id: string; name: string }[]
  onApproval: (member: Member, canApprove: boolean) => void
  onRemove: (member: Member) => void
  onLink: (member: Member) => void
}
type Options = RowActions & { mayAdmin: boolean; isMe: (member: Member) => boolean }

export function memberColumns(t: ReturnType<typeof useMembersTexts>, { mayAdmin, isMe, ...actions }: Options): Column<Member>[] {
  const shown: Column<Member>[] = [
    { id: 'person', title: t('person'), cell: (member) => <Person member={member} isMe={isMe(member)} /> },
    {
      id: 'role',
      title: t('role'),
      cell: (member) => (
        <Stack gap="xs">
          {mayAdmin && !member.source ? <RoleChoice member={member} {...actions} /> : (member.roleName ?? t(`role_${member.role}`))}
          {/* A phone has no room for this column. */}
          {mayAdmin && hasChoice(member) && (
            <Box hiddenFrom="sm">
              <ApprovalChoice member={member} {...actions} label={t('approval')} />
            </Box>
          )}
        </Stack>
      ),
    },
    {
      id: 'approval',
      title: t('approval'),
      isExtra: true,
      cell: (member) =>
        mayAdmin && hasChoice(member) ? (
          <ApprovalChoice member={member} {...actions} />
        ) : (
          t(member.role === 'admin' ? 'approvalAlways' : member.canApprove ? 'yes' : 'no')
        ),
    },
  ]
  const removal: Column<Member> = {
    id: 'removal',
    title: <span className="cf-visually-hidden">{t('remove')}</span>,
    align: 'end',
    // As wide as its content: on a phone the buttons are one below the other.
    width: 1,
    cell: (member) => (
      <Flex direction={{ base: 'column', sm: 'row' }} justify="flex-end">
        {member.invitedUntil === undefined && !isMe(member) && <ResetLink member={member} {...actions} />}
        {!member.source && <Removal member={member} {...actions} />}
      </Flex>
    ),
  }
  return mayAdmin ? [...shown, removal] : shown
}

/**
 * Whether somebody here says if this member approves. Admins always do, an own role says it by its permissions, and of
 * members that a directory gives the directory says it.
 */
function hasChoice({ role, roleId, source }: Member): boolean {
  return role !== 'admin' && roleId === undefined && source === undefined
}

function Person({ member, isMe }: { member: Member; isMe: boolean }) {
  const t = useMembersTexts()
  return (
    <Stack gap={0}>
      <Group gap="xs">
        <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
          {member.name}
        </Text>
        {member.source && (
          <Badge variant="light" color="gray" tt="none">
            {t('managedMark')}
          </Badge>
        )}
        {member.invitedUntil !== undefined && (
          <Badge variant="light" tt="none">
            {t('invitedMark')}
          </Badge>
        )}
        {isMe && (
          <Badge variant="light" color="gray" tt="none">
            {t('you')}
          </Badge>
        )}
      </Group>
      <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        <bdi>{member.email}</bdi>
      </Text>
    </Stack>
  )
}

function RoleChoice({ member, onRole, onOwnRole, ownRoles }: RowActions & { member: Member }) {
  const t = useMembersTexts()
  return (
    <NativeSelect
      aria-label={t('roleOf', { name: member.name })}
      value={member.roleId ?? member.role}
      onChange={({ currentTarget: { value } }) => {
        const documented = ROLES.find((id) => id === value)
        if (documented) onRole(member, documented)
        else onOwnRole(member, value)
      }}
      data={[
        ...ROLES.map((id) => ({ value: id, label: t(`role_${id}`) })),
        ...ownRoles.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      miw={110}
    />
  )
}

function ApprovalChoice({ member, label, onApproval }: RowActions & { member: Member; label?: string }) {
  const t = useMembersTexts()
  const name = t('approvalOf', { name: member.name })
  return (
    <Checkbox
      label={label}
      aria-label={label === undefined ? name : `${label}: ${name}`}
      checked={member.canApprove}
      onChange={({ currentTarget }) => onApproval(member, currentTarget.checked)}
    />
  )
}

function ResetLink({ member, onLink }: RowActions & { member: Member }) {
  const t = useMembersTexts()
  return (
    <Tooltip label={t('resetLink')}>
      <ActionIcon variant="subtle" size="lg" aria-label={t('resetLinkOf', { name: member.name })} onClick={() => onLink(member)}>
        <IconKey size={18} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}

function Removal({ member, onRemove }: RowActions & { member: Member }) {
  const t = useMembersTexts()
  return (
    <Tooltip label={t('remove')}>
      <ActionIcon variant="subtle" color="red" size="lg" aria-label={t('removeOf', { name: member.name })} onClick={() => onRemove(member)}>
        <IconTrash size={18} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}
