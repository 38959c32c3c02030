import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useWrite } from '../../../data.ts'
import { Confirm } from '../../../ui/confirm.tsx'
import { CopyField } from '../../../ui/fields/copy-field.tsx'
import { Failure } from '../../../ui/failure.tsx'
import type { Member, ResetLink } from '../api.ts'
import classes from '../settings.module.css'
import { Dialog } from '../../../ui/dialog.tsx'
import { PassedOn } from './passed-on.tsx'
import { useMembersTexts } from './texts-members.ts'

/** For somebody who cannot do their second step any more. */
function LostPhone({ member, onDone }: { member: Member; onDone: () => void }) {
  const t = useMembersTexts()
  const remove = useWrite<Member>(({ userId }) => ({ method: 'DELETE', path: `/members/${userId}/second-factor` }), {
    stale: [],
    done: t('secondRemoved', { name: member.name }),
    showsError: true,
  })
  return (
    <>
      <Text size="sm">{t('secondLost')}</Text>
      <Group>
        <Button variant="default" size="xs" loading={remove.isPending} onClick={() => remove.mutate(member, { onSuccess: onDone })}>
          {t('secondRemove')}
        </Button>
      </Group>
      {remove.error && <Failure error={remove.error} />}
    </>
  )
}

/** Makes a link that gives a member a new password, and shows it this once. */
export function ResetLinkDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const t = useMembersTexts()
  const [made, setMade] = useState<ResetLink>()
  const make = useWrite<Member, ResetLink>(({ userId }) => ({ method: 'POST', path: `/members/${userId}/reset-link` }), {
    stale: [],
    showsError: true,
  })
  if (!made)
    return (
      <Confirm
        isOpen
        onClose={onClose}
        onConfirm={() => make.mutate(member, { onSuccess: setMade })}
        title={t('resetLinkTitle', { name: member.name })}
        action={t('resetLinkCreate')}
        isBusy={make.isPending}
      >
        <Stack gap="sm">
          {t('resetLinkText')}
          {make.error && <Failure error={make.error} />}
          <LostPhone member={member} onDone={onClose} />
        </Stack>
      </Confirm>
    )
  return (
    <Dialog opened onClose={onClose} title={t('resetLinkMade')} closeOnClickOutside={false} closeOnEscape={false} withCloseButton={false}>
      <PassedOn onClose={onClose}>
        <Text size="sm">
          <bdi>{member.email}</bdi>: {t('resetLinkMadeText')}
        </Text>
        <div className={classes.secret}>
          <Text size="sm" c="dimmed">
            {t('resetLink')}
          </Text>
          <CopyField value={`${window.location.origin}/reset-password#${made.token}`} label={t('resetLink')} />
        </div>
      </PassedOn>
    </Dialog>
  )
}
