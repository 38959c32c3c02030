import { ActionIcon, Box, Button, Group, SegmentedControl, Stack, Text, Tooltip } from '@mantine/core'
import { IconActivity, IconFolderPlus, IconPlus, IconTrash } from '@tabler/icons-react'
import { newEvent } from '../events/event-draft.ts'
import type { OfferedField } from './field-catalog.ts'
import { addRule, emptyLeaf, eventRow, isGroup, mayNest, newGroup, removeRule, replaceRule, type DraftGroup } from './rule-tree.ts'
import { RuleRow } from './rule-row.tsx'
import { useRuleTexts } from './rule-texts.ts'
import { useTexts } from '../texts.ts'
import classes from './rules.module.css'

type Refused = { key: string; text: string } | undefined

type GroupProps = {
  group: DraftGroup
  /** 0: the segment's own top level. */
  depth: number
  root: DraftGroup
  onChange: (root: DraftGroup) => void
  fields: OfferedField[]
  refused: Refused
  isChecked: boolean
}

/** Rows and further groups, all or any of which must hold; groups inside are indented cards. */
export function RuleGroup({ group, depth, root, onChange, fields, refused, isChecked }: GroupProps) {
  const t = useTexts()
  const rules = useRuleTexts()
  const { key, logicalOperator, conditions } = group
  return (
    <Box className={depth > 0 ? classes.group : undefined} role="group" aria-label={t(logicalOperator === 'AND' ? 'allHold' : 'anyHolds')}>
      <Stack gap="sm">
        <Group justify="space-between" wrap="nowrap">
          <SegmentedControl
            size="xs"
            aria-label={t('match')}
            data={[
              { value: 'AND', label: t('matchAll') },
              { value: 'OR', label: t('matchAny') },
            ]}
            value={logicalOperator}
            onChange={(next) => onChange(replaceRule(root, { ...group, logicalOperator: next === 'OR' ? 'OR' : 'AND' }))}
          />
          {depth > 0 && (
            <Tooltip label={t('removeGroup')}>
              <ActionIcon variant="subtle" color="gray" aria-label={t('removeGroup')} onClick={() => onChange(removeRule(root, key))}>
                <IconTrash size={16} aria-hidden />
              </ActionIcon>
            </Tooltip>
          )}
        </Group>
        {conditions.map((rule, place) => (
          <Stack key={rule.key} gap={6}>
            {place > 0 && (
              <Text size="xs" fw={600} c="dimmed">
                {rules(logicalOperator === 'AND' ? 'and' : 'or')}
              </Text>
            )}
            {isGroup(rule) ? (
              <RuleGroup {...{ root, onChange, fields, refused, isChecked }} group={rule} depth={depth + 1} />
            ) : (
              <RuleRow
                leaf={rule}
                fields={fields}
                refused={refused?.key === rule.key ? refused.text : undefined}
                isChecked={isChecked}
                onChange={(leaf) => onChange(replaceRule(root, leaf))}
                onRemove={() => onChange(removeRule(root, rule.key))}
              />
            )}
          </Stack>
        ))}
        <Group gap="xs">
          <Button
            size="xs"
            variant="light"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => onChange(addRule(root, key, emptyLeaf()))}
          >
            {t('addRow')}
          </Button>
          <Button
            size="xs"
            variant="light"
            leftSection={<IconActivity size={14} aria-hidden />}
            onClick={() => onChange(addRule(root, key, eventRow(newEvent())))}
          >
            {rules('ev_add')}
          </Button>
          {mayNest(depth) ? (
            <Button
              size="xs"
              variant="subtle"
              leftSection={<IconFolderPlus size={14} aria-hidden />}
              onClick={() => onChange(addRule(root, key, newGroup(logicalOperator === 'AND' ? 'OR' : 'AND')))}
            >
              {t('addGroup')}
            </Button>
          ) : (
            <Text size="xs" c="dimmed">
              {t('groupLimit')}
            </Text>
          )}
        </Group>
      </Stack>
    </Box>
  )
}
