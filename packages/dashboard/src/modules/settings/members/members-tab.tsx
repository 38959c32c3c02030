import { Button, Stack, Text } from '@mantine/core'
import { IconPlus, IconUsers } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../../../api.ts'
import { usePages, useWrite } from '../../../data.ts'
import { ME, useSession, type Role } from '../../../session.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Listing } from '../../../ui/listing.tsx'
import { Section } from '../../../ui/section.tsx'
import { useUrlState } from '../../../ui/url-state.ts'
import { useRoles } from '../access/api.ts'
import { AddMember } from './add-member.tsx'
import { ROLES, type Member } from '../api.ts'
import { memberColumns } from './member-columns.tsx'
import { ForApps, OnlyFor } from '../notes.tsx'
import { ResetLinkDialog } from './reset-link.tsx'
import { useMembersTexts } from './texts-members.ts'

type Change = { member: Member; role?: Role; roleId?: string; canApprove?: boolean }

export function MembersTab() {
  const t = useMembersTexts()
  const { mayAdmin, me } = useSession()
  const client = useQueryClient()
  const members = usePages<Member>('/members', 'members', { limit: 50 })
  const ownRoles = useRoles()
  const [adding, setAdding] = useUrlState('new')
  const isAdding = adding !== ''
  const [leaving, setLeaving] = useState<Member>()
  /** The member who is locked out. */
  const [locked, setLocked] = useState<Member>()
  /** A change that takes rights from the member's own role, which only another admin can give back. */
  const [stepDown, setStepDown] = useState<Role>()

  const isMe = (member: Member) => member.userId === me.user.userId
  const change = useWrite<Change, Member>(
    ({ member, role, roleId, canApprove }) => ({ method: 'PUT', path: `/members/${member.userId}`, body: { role, roleId, canApprove } }),
    { stale: ['/members'], done: ({ name }) => t('changed', { name }), showsError: true },
  )
  const remove = useWrite<Member>((member) => ({ method: 'DELETE', path: `/members/${member.userId}` }), {
    stale: ['/members'],
    done: (_data, { name }) => t('removed', { name }),
    showsError: true,
  })
  const submit = (wanted: Change) => {
    if (change.isPending) return
    remove.reset()
    change.mutate(wanted, { onSuccess: () => isMe(wanted.member) && void client.invalidateQueries({ queryKey: ME }) })
  }
  const drop = (member: Member) => {
    change.reset()
    remove.mutate(member, {
      onSuccess: () => isMe(member) && void client.invalidateQueries({ queryKey: ME }),
      onSettled: () => setLeaving(undefined),
    })
  }
  const error = change.error ?? remove.error
  const self = members.items.find(isMe)
  return (
    <Section
      title={t('members')}
      text={t('membersText')}
      aside={
        mayAdmin && (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setAdding('member')}>
            {t('add')}
          </Button>
        )
      }
    >
      <ForApps text={t('membersEffect')} />
      {error && <RefusedChange error={error} />}
      <Listing
        label={t('members')}
        pages={{ ...members, items: members.items.map((member) => withChange(member, change.isPending ? change.variables : undefined)) }}
        idOf={({ userId }) => userId}
        columns={memberColumns(t, {
          mayAdmin,
          isMe,
          onRole: (member, role) => (isMe(member) ? setStepDown(role) : submit({ member, role })),
          onOwnRole: (member, roleId) => submit({ member, roleId }),
          ownRoles: ownRoles.data?.roles ?? [],
          onApproval: (member, canApprove) => submit({ member, canApprove }),
          onRemove: setLeaving,
          onLink: setLocked,
        })}
        empty={<EmptyState icon={IconUsers} title={t('members')} text={t('membersText')} />}
      />
      <RoleHelp />
      {!mayAdmin && <OnlyFor who="admins" />}
      {locked && <ResetLinkDialog member={locked} onClose={() => setLocked(undefined)} />}
      {mayAdmin && isAdding && <AddMember onClose={() => setAdding('')} />}
      <Confirm
        isOpen={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        onConfirm={() => leaving && drop(leaving)}
        title={t('removeTitle', { name: leaving?.name ?? '' })}
        action={t('remove')}
        isDangerous
        isBusy={remove.isPending}
      >
        {leaving && isMe(leaving) ? t('removeSelfText') : t('removeText')}
      </Confirm>
      <Confirm
        isOpen={stepDown !== undefined}
        onClose={() => setStepDown(undefined)}
        onConfirm={() => {
          if (self && stepDown) submit({ member: self, role: stepDown })
          setStepDown(undefined)
        }}
        title={t('stepDownTitle')}
        action={t('stepDown')}
        isDangerous
      >
        {t('stepDownText', { role: stepDown ? t(`role_${stepDown}`) : '' })}
      </Confirm>
    </Section>
  )
}

/** The member with the change that is being saved. */
function withChange(member: Member, change: Change | undefined): Member {
  if (change?.member.userId !== member.userId) return member
  const { role = member.role, canApprove = member.canApprove, roleId } = change
  const { roleId: before, roleName: _, ...plain } = member
  const ownRole = roleId ?? (change.role === undefined ? before : undefined)
  return { ...plain, role, canApprove, ...(ownRole !== undefined && { roleId: ownRole }) }
}

/** The one change that the server refuses to an admin: taking away the last one. */
function RefusedChange({ error }: { error: Error }) {
  const t = useMembersTexts()
  const isLastAdmin = error instanceof ApiError && error.status === 409
  return <Failure error={isLastAdmin ? new Error(t('lastAdminText')) : error} title={isLastAdmin ? t('lastAdminTitle') : undefined} />
}

function RoleHelp() {
  const t = useMembersTexts()
  return (
    <Stack gap={4}>
      {ROLES.map((role) => (
        <Text key={role} size="sm" c="dimmed">
          <Text span fw={600} inherit>
            {t(`role_${role}`)}:
          </Text>{' '}
          {t(`role_${role}_text`)}
        </Text>
      ))}
      <Text size="sm" c="dimmed">
        <Text span fw={600} inherit>
          {t('approval')}:
        </Text>{' '}
        {t('approvalText')}
      </Text>
    </Stack>
  )
}
