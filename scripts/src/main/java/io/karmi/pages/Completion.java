package io.karmi.pages;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Completion of the commands' options and their listed values. */
final class Completion {
  private static final String BASH =
      """
      # Completion of KaRMI's commands for bash: source this file.

      _karmi_words() {
        case $1 in
      %s  esac
      }

      _karmi() {
        local name=${COMP_WORDS[0]##*/} current=${COMP_WORDS[COMP_CWORD]} before words option=
        before=${COMP_WORDS[COMP_CWORD - 1]}
        if [ "$name" = karmi-bench ] && [ "$COMP_CWORD" -gt 1 ]; then
          name="$name ${COMP_WORDS[1]}"
        fi
        words=$(_karmi_words "$name")
        # Bash takes = for a word of its own.
        if [ "$current" = = ]; then
          option=$before current=
        elif [ "$before" = = ]; then
          option=${COMP_WORDS[COMP_CWORD - 2]}
        fi
        COMPREPLY=()
        if [ -n "$option" ]; then
          words=$(printf '%%s\\n' $words | sed -n "s/^$option=//p")
          COMPREPLY=($(compgen -W "$words" -- "$current"))
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

      local name=${service:-$words[1]:t}
      if [[ $name == karmi-bench && $CURRENT -gt 2 ]]; then
        name="$name $words[2]"
      fi
      case $name in
      %sesac
      """;

  private Completion() {}

  static String bash(List<Help> all) {
    StringBuilder cases = new StringBuilder();
    for (Help each : all) {
      cases
          .append("    '")
          .append(each.name())
          .append("') echo '")
          .append(String.join(" ", words(each)))
          .append("' ;;\n");
    }
    return BASH.formatted(cases, names(all));
  }

  static String zsh(List<Help> all) {
    StringBuilder cases = new StringBuilder();
    for (Help each : all) {
      cases.append("  '").append(each.name()).append("') compadd -- ");
      cases.append(String.join(" ", words(each))).append("; _files ;;\n");
    }
    return ZSH.formatted(names(all), cases);
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
    for (Map.Entry<String, List<String>> each : help.options().entrySet()) {
      /* Where =all is the only value listed, the option stands alone, too. */
      if (each.getValue().size() < 2) {
        words.add(each.getKey());
      }
      each.getValue().forEach(value -> words.add(each.getKey() + "=" + value));
    }
    return words;
  }
}
