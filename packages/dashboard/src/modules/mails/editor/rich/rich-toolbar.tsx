import { ActionIcon, Button, Group, Popover, Stack, TextInput, Tooltip } from '@mantine/core'
import {
  IconBold,
  IconItalic,
  IconLink,
  IconList,
  IconListNumbers,
  IconPalette,
  IconStrikethrough,
  IconUnderline,
  type TablerIcon,
} from '@tabler/icons-react'
import type { Command } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { useState } from 'react'
import { TokensMenu } from '../../../../ui/tokens/tokens-menu.tsx'
import { useTokens } from '../../../../ui/tokens/use-tokens.ts'
import { ColourField } from '../panel/colour-field.tsx'
import { useTexts } from '../texts.ts'
import { canLink, hasMark, linkAround, listAround, LISTS, setMark, STYLES, toggleList, toggleStyle } from './rich-commands.ts'
import { isAddress } from './schema.ts'
import classes from '../editor.module.css'

const STYLE_ICONS = { strong: IconBold, em: IconItalic, underline: IconUnderline, strike: IconStrikethrough } as const
const STYLE_NAMES = { strong: 'bold', em: 'italic', underline: 'underline', strike: 'strike' } as const
const LIST_ICONS = { bullet_list: IconList, ordered_list: IconListNumbers } as const
const LIST_NAMES = { bullet_list: 'bulletList', ordered_list: 'orderedList' } as const

type ToolbarProps = { view: EditorView; isLinking: boolean; setLinking: (isLinking: boolean) => void }

/** The look of the words that are selected. A press leaves the cursor where it is. */
export function RichToolbar({ view, isLinking, setLinking }: ToolbarProps) {
  const t = useTexts()
  const tokens = useTokens()
  const { state } = view
  const { schema } = state
  const run = (command: Command) => {
    command(view.state, (transaction) => view.dispatch(transaction), view)
    view.focus()
  }
  const [isColouring, setColouring] = useState(false)
  const link = linkAround(state)
  return (
    <div className={classes.toolbar} role="toolbar" aria-label={t('toolbar')} dir={document.documentElement.dir}>
      {STYLES.map((style) => (
        <ToolButton
          key={style}
          icon={STYLE_ICONS[style]}
          label={t(STYLE_NAMES[style])}
          isOn={hasMark(state, schema.marks[style]!)}
          onPress={() => run(toggleStyle(schema, style))}
        />
      ))}
      {schema.nodes['list_item'] &&
        LISTS.map((kind) => (
          <ToolButton
            key={kind}
            icon={LIST_ICONS[kind]}
            label={t(LIST_NAMES[kind])}
            isOn={listAround(state) === kind}
            onPress={() => run(toggleList(schema, kind))}
          />
        ))}
      <Popover opened={isLinking} onChange={setLinking} trapFocus position="bottom" shadow="md" width={320}>
        <Popover.Target>
          <ToolButton
            icon={IconLink}
            label={t('link')}
            isOn={link !== undefined}
            isOff={!canLink(state)}
            onPress={() => setLinking(!isLinking)}
          />
        </Popover.Target>
        <Popover.Dropdown aria-label={t('link')}>
          {isLinking && (
            <LinkForm
              url={link ? String(link.mark.attrs['url']) : ''}
              onSet={(url) => {
                setLinking(false)
                run(setMark('link', 'url', url))
              }}
            />
          )}
        </Popover.Dropdown>
      </Popover>
      <Popover opened={isColouring} onChange={setColouring} trapFocus position="bottom" shadow="md" width={240}>
        <Popover.Target>
          <ToolButton
            icon={IconPalette}
            label={t('colour')}
            isOn={hasMark(state, schema.marks['color']!)}
            onPress={() => setColouring(!isColouring)}
          />
        </Popover.Target>
        <Popover.Dropdown aria-label={t('colour')}>
          {isColouring && (
            <ColourForm
              onSet={(color) => {
                setColouring(false)
                run(setMark('color', 'color', color))
              }}
            />
          )}
        </Popover.Dropdown>
      </Popover>
      <TokensMenu
        label={t('type_text')}
        tokens={tokens}
        onPick={(token) => {
          view.dispatch(view.state.tr.insertText(`{{${token}}}`))
          // The menu gives the focus back once it is closed.
          requestAnimationFrame(() => view.focus())
        }}
      />
    </div>
  )
}

type ToolButtonProps = {
  icon: TablerIcon
  label: string
  isOn: boolean
  isOff?: boolean
  onPress: () => void
  ref?: React.Ref<HTMLButtonElement>
}

function ToolButton({ icon: Icon, label, isOn, isOff = false, onPress, ...rest }: ToolButtonProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        {...rest}
        variant={isOn ? 'light' : 'subtle'}
        color={isOn ? undefined : 'gray'}
        size={28}
        aria-label={label}
        aria-pressed={isOn}
        disabled={isOff}
        // The cursor stays in the words.
        onMouseDown={(event: React.MouseEvent) => event.preventDefault()}
        onClick={onPress}
      >
        <Icon size={16} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}

function LinkForm({ url, onSet }: { url: string; onSet: (url: string | undefined) => void }) {
  const t = useTexts()
  const [typed, setTyped] = useState(url)
  const [isTried, setTried] = useState(false)
  const address = typed.trim()
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        event.stopPropagation()
        setTried(true)
        if (isAddress(address)) onSet(address)
      }}
    >
      <Stack gap="xs">
        <TextInput
          label={t('linkAddress')}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          error={isTried && !isAddress(address) && t('wrongAddress')}
          dir="ltr"
          autoComplete="off"
          data-autofocus
        />
        <Group gap="xs" justify="flex-end">
          {url !== '' && (
            <Button variant="default" size="xs" onClick={() => onSet(undefined)}>
              {t('removeLink')}
            </Button>
          )}
          <Button type="submit" size="xs">
            {t('setLink')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function ColourForm({ onSet }: { onSet: (color: string | undefined) => void }) {
  const t = useTexts()
  const [color, setColor] = useState<string>()
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        event.stopPropagation()
        onSet(color)
      }}
    >
      <Stack gap="xs">
        <ColourField label={t('colour')} value={color} onChange={setColor} />
        <Group gap="xs" justify="flex-end">
          <Button variant="default" size="xs" onClick={() => onSet(undefined)}>
            {t('noColour')}
          </Button>
          <Button type="submit" size="xs" disabled={color === undefined}>
            {t('done')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
