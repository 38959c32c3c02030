import { Badge, Text } from '@mantine/core'
import { IconRobot } from '@tabler/icons-react'
import { useState } from 'react'
import type { ServiceAccount } from '@contentflow/server/wire.ts'
import { useFormat } from '../../../format.ts'
import { EditedList } from '../edited-list.tsx'
import { EditedTable, RowButton } from '../edited-table.tsx'
import { ENDING, SERVICES, useEnding, useRoles, useServices } from './api.ts'
import { ServiceForm } from './service-form.tsx'
import { useAccessTexts } from './texts.ts'
import { TokensDialog } from './tokens-dialog.tsx'

/** Programs that act in the workspace. */
export function ServicesSection() {
  const t = useAccessTexts()
  const read = useServices()
  const [opened, setOpened] = useState<ServiceAccount>()
  return (
    <EditedList
      texts={{
        title: t('services'),
        text: t('servicesText'),
        add: t('addService'),
        emptyTitle: t('noServices'),
        emptyText: t('noServicesText'),
      }}
      icon={IconRobot}
      read={{ ...read, data: read.data?.serviceAccounts }}
      renderTable={(services, onEdit) => <ServiceTable services={services} onEdit={onEdit} onTokens={setOpened} />}
      renderForm={(service, onClose) => <ServiceForm service={service} onClose={onClose} />}
    >
      {opened && <TokensDialog service={opened} onClose={() => setOpened(undefined)} />}
    </EditedList>
  )
}

type ServiceTableProps = {
  services: readonly ServiceAccount[]
  onEdit: ((service: ServiceAccount) => void) | undefined
  onTokens: (service: ServiceAccount) => void
}

function ServiceTable({ services, onEdit, onTokens }: ServiceTableProps) {
  const t = useAccessTexts()
  const roles = useRoles().data?.roles ?? []
  const ending = useEnding()
  /** Of its tokens, the one that ends first. */
  const endOf = ({ id }: ServiceAccount) => ending.find(({ serviceAccountId }) => serviceAccountId === id)?.endsAt
  const roleOf = ({ role, roleId }: ServiceAccount) => roles.find(({ id }) => id === roleId)?.name ?? t(`role_${role}`)
  return (
    <EditedTable
      items={services}
      texts={{ name: t('name'), edit: t('edit') }}
      nameOf={({ name }) => name}
      renderDetail={(service) => (
        <>
          <Text size="xs" c="dimmed">
            {roleOf(service)}
          </Text>
          <EndsSoon endsAt={endOf(service)} />
        </>
      )}
      columns={[{ head: t('owner'), cell: ({ ownerName }) => ownerName ?? t('noOwner') }]}
      onEdit={onEdit}
      renderActions={(service) => <RowButton name={service.name} action={t('tokens')} onClick={() => onTokens(service)} />}
      removal={{
        path: SERVICES,
        stale: [SERVICES, ENDING],
        texts: {
          action: t('remove'),
          done: t('removed'),
          title: ({ name }) => t('removeServiceTitle', { name }),
          text: () => t('removeServiceText'),
        },
        isDangerous: true,
      }}
    />
  )
}

function EndsSoon({ endsAt }: { endsAt: string | undefined }) {
  const t = useAccessTexts()
  const format = useFormat()
  if (endsAt === undefined) return null
  return (
    <Badge color="orange" variant="light" tt="none" fw={600} radius="sm" mt={4}>
      {t('tokenEnds', { when: format.ago(endsAt) })}
    </Badge>
  )
}
