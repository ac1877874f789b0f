# usage: zsh -f tab.zsh FOLDER LINE...
#
# Types each line into a shell at a terminal of its own, presses Tab behind it, and prints what the line has become as
# LINE<...>. FOLDER holds the completion.

zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PS1= PS2= RPS1=; stty -echo; unset zle_bracketed_paste; cd $1; fpath=($1 \$fpath)
autoload -Uz compinit; compinit -u -D
show() { print -r -- \"LINE<\$BUFFER>\"; zle kill-buffer }; zle -N show; bindkey '^X' show; print RE''ADY"
while zpty -r shell line; do
  [[ $line == *READY* ]] && break
done
shift
for each; do
  zpty -w -n shell "$each"$'\t\x18'
  while zpty -r shell line; do
    print -rn -- "$line"
    [[ $line == *'LINE<'* ]] && break
  done
done
zpty -d shell
