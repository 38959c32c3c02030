/**
 * What shells run to complete. They hand the typed words to `contentflow complete`, so a script that was installed once knows the
 * commands of whichever version is there. It answers a line for each candidate, with its meaning behind a tab, and a line `:files`
 * where paths are as good.
 */
export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

export const SCRIPTS: Record<Shell, string> = {
  bash: String.raw`# contentflow completion for bash
_contentflow() {
  local current="\${COMP_WORDS[COMP_CWORD]}" line
  # Bash takes --name=value apart at the sign.
  local -a words=()
  local index
  for ((index = 1; index <= COMP_CWORD; index++)); do
    if [[ "\${COMP_WORDS[index]}" == "=" && \${#words[@]} -gt 0 ]]; then
      words[\${#words[@]}-1]+="="
    elif [[ \${#words[@]} -gt 0 && "\${words[\${#words[@]}-1]}" == --*= ]]; then
      words[\${#words[@]}-1]+="\${COMP_WORDS[index]}"
    else
      words+=("\${COMP_WORDS[index]}")
    fi
  done
  local typed="\${words[\${#words[@]}-1]}" prefix=""
  [[ "$typed" == --*=* ]] && prefix="\${typed%%=*}="
  [[ "$current" == "=" ]] && current=""
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ "$line" == ":files" ]]; then
      compopt -o filenames 2>/dev/null
      while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$current")
    else
      line="\${line%%$'\t'*}"
      COMPREPLY+=("\${line#"$prefix"}")
    fi
  done < <("\${COMP_WORDS[0]}" complete -- "\${words[@]}" 2>/dev/null)
}
complete -F _contentflow contentflow
`.replaceAll('\\$', '$'),
  zsh: String.raw`#compdef contentflow
# contentflow completion for zsh
_contentflow() {
  local line files=0
  local -a candidates
  while IFS= read -r line; do
    if [[ "$line" == ":files" ]]; then
      files=1
    else
      candidates+=("\${\${line%%$'\t'*}//:/\\:}:\${line#*$'\t'}")
    fi
  done < <("\${words[1]}" complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  (( \${#candidates} )) && _describe 'contentflow' candidates
  (( files )) && _files
}
if [ "$funcstack[1]" = "_contentflow" ]; then
  _contentflow "$@"
else
  compdef _contentflow contentflow
fi
`.replaceAll('\\$', '$'),
  fish: String.raw`# contentflow completion for fish
function __contentflow_complete
    set -l typed (commandline -opc)[2..] (commandline -ct)
    for line in (contentflow complete -- $typed 2>/dev/null)
        if test "$line" = ":files"
            __fish_complete_path (commandline -ct)
        else
            echo $line
        end
    end
end
complete -c contentflow -f -a "(__contentflow_complete)"
`,
}
