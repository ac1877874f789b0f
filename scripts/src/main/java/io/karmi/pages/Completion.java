package io.karmi.pages;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Completion of the commands' options and their listed values. */
final class Completion {
  private static final String BASH =
      """
      # Completion of KaRMI's commands for bash: source this file.

      # Sets words, and of them the options that take several values, and those whose value is the next word.
      _karmi_words() {
        case $1 in
      %s  esac
      }

      _karmi() {
        local name=${COMP_WORDS[0]##*/} before=${COMP_WORDS[COMP_CWORD - 1]} current=${COMP_WORDS[COMP_CWORD]}
        local words= several= spaced= option= begun= values= each
        if [ "$name" = karmi-bench ]; then
          case ${COMP_WORDS[1]} in
            -*) name='karmi-bench rmi' ;;
            *) [ "$COMP_CWORD" -eq 1 ] || name="$name ${COMP_WORDS[1]}" ;;
          esac
        fi
        _karmi_words "$name"
        # Bash takes = for a word of its own.
        if [ "$current" = = ]; then
          option=$before current=
        elif [ "$before" = = ]; then
          option=${COMP_WORDS[COMP_CWORD - 2]}
        elif [[ " $spaced " == *" $before "* ]]; then
          option=$before
        fi
        COMPREPLY=()
        if [ -n "$option" ]; then
          if [[ $current == *,* && " $several " == *" $option "* ]]; then
            begun=${current%%,*}, current=${current##*,}
          fi
          for each in $words; do
            [[ $each != "$option="* ]] || values="$values ${each#*=}"
          done
          COMPREPLY=($(compgen -P "$begun" -W "$values" -- "$current"))
        elif [ "$COMP_CWORD" -eq 1 ] || [ "${current#-}" != "$current" ]; then
          COMPREPLY=($(compgen -W "$words" -- "$current"))
        fi
      }

      complete -o default -F _karmi %s
      """;

  private static final String ZSH =
      """
      #compdef %s
      # Completion of KaRMI's commands for zsh: put this file into a folder of fpath.

      local name=${service:-$words[1]:t} option=
      # What can be said, and of it the options that take several values, and those whose value is the next word.
      local -a offered several spaced values
      if [[ $name == karmi-bench ]]; then
        if [[ $words[2] == -* ]]; then
          name='karmi-bench rmi'
        elif (( CURRENT > 2 )); then
          name="$name $words[2]"
        fi
      fi
      case $name in
      %sesac
      if [[ $PREFIX == --*=* ]]; then
        option=${PREFIX%%%%=*}
        compset -P 1 '*='
      elif (( ${spaced[(Ie)$words[CURRENT-1]]} )); then
        option=$words[CURRENT-1]
      fi
      if [[ -z $option ]]; then
        compadd -- $offered
        _files
        return
      fi
      values=(${${(M)offered:#$option=*}#$option=})
      (( ${several[(Ie)$option]} )) && compset -P '*,'
      if (( $#values )); then
        compadd -- $values
      else
        _files
      fi
      """;

  private Completion() {}

  static String bash(List<Help> all) {
    return BASH.formatted(
        cases(all, "    '%s') words='%s' several='%s' spaced='%s' ;;\n"), names(all));
  }

  static String zsh(List<Help> all) {
    return ZSH.formatted(
        names(all), cases(all, "  '%s') offered=(%s) several=(%s) spaced=(%s) ;;\n"));
  }

  private static String cases(List<Help> all, String form) {
    StringBuilder cases = new StringBuilder();
    for (Help each : all) {
      cases.append(
          form.formatted(
              each.name(),
              String.join(" ", words(each)),
              names(each, Help.Choice::isList),
              names(each, Help.Choice::isBeforeValue)));
    }
    return cases.toString();
  }

  private static String names(Help help, Predicate<Help.Choice> wanted) {
    return help.options().entrySet().stream()
        .filter(each -> wanted.test(each.getValue()))
        .map(Map.Entry::getKey)
        .collect(Collectors.joining(" "));
  }

  private static String names(List<Help> all) {
    return all.stream()
        .map(Help::name)
        .filter(name -> !name.contains(" "))
        .collect(Collectors.joining(" "));
  }

  /** Options, each with its values where they are listed, and the commands below. */
  private static List<String> words(Help help) {
    List<String> words = new ArrayList<>(help.commands());
    words.addAll(help.verbs());
    for (Map.Entry<String, Help.Choice> each : help.options().entrySet()) {
      if (each.getValue().standsAlone()) {
        words.add(each.getKey());
      }
      each.getValue().values().forEach(value -> words.add(each.getKey() + "=" + value));
    }
    return words;
  }
}
