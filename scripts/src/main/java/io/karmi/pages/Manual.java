package io.karmi.pages;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A manual page in the macros of {@code man(7)}. */
final class Manual {
  /** A line that begins with a word, and behind two spaces what it means. */
  private static final Pattern TERM = Pattern.compile("^ {0,4}([\\w-]+:?) {2,}(\\S.*)$");

  private Manual() {}

  /** The page of a command, with a section for each command below it. */
  static String of(Help help, List<Help> below) {
    StringBuilder page = new StringBuilder();
    page.append(".TH ").append(help.name().toUpperCase(Locale.ROOT)).append(" 1 \"\" KaRMI\n");
    page.append(".SH NAME\n").append(help.name()).append(" \\- ");
    page.append(escaped(lowered(help.summary()))).append('\n');
    page.append(".SH SYNOPSIS\n");
    synopsis(page, help);
    page.append(".SH DESCRIPTION\n");
    blocks(page, help);
    for (Help each : below) {
      page.append(".SH ").append(each.name().toUpperCase(Locale.ROOT)).append('\n');
      synopsis(page, each);
      blocks(page, each);
    }
    return page.toString();
  }

  private static String lowered(String text) {
    return text.isEmpty()
        ? text
        : text.substring(0, 1).toLowerCase(Locale.ROOT) + text.substring(1);
  }

  /** A way to call it that is longer than the screen is wide goes on below, indented. */
  private static void synopsis(StringBuilder page, Help help) {
    for (String usage : help.usage()) {
      page.append(".PP\n.in +4n\n.ti -4n\n").append(line(usage)).append(".in\n");
    }
  }

  private static void blocks(StringBuilder page, Help help) {
    for (List<String> block : help.blocks()) {
      List<Help.Explained> options = Help.explained(block);
      if (options.isEmpty()) {
        text(page, block);
      }
      for (Help.Explained each : options) {
        term(page, each.option(), each.text().isEmpty() ? "see above" : each.text());
      }
    }
  }

  /** Paragraphs, terms with what they mean, and lines that stay as they are, such as examples. */
  private static void text(StringBuilder page, List<String> block) {
    page.append(".PP\n");
    int column = 0;
    for (String line : block) {
      Matcher term = TERM.matcher(line);
      int indent = line.length() - line.stripLeading().length();
      if (term.matches()) {
        column = term.start(2);
        term(page, term.group(1), term.group(2));
      } else if (indent == 0 || column > 0 && indent >= column) {
        page.append(indent == 0 && column > 0 ? ".PP\n" : "").append(line(line.strip()));
        column = indent == 0 ? 0 : column;
      } else {
        page.append(".nf\n").append(line(line)).append(".fi\n");
      }
    }
  }

  private static void term(StringBuilder page, String term, String text) {
    page.append(".TP\n\\fB").append(escaped(term)).append("\\fR\n").append(line(text));
  }

  /** A line of text; a control character at its beginning means nothing. */
  private static String line(String text) {
    String escaped = escaped(text.stripTrailing());
    return (escaped.startsWith(".") || escaped.startsWith("'") ? "\\&" : "") + escaped + "\n";
  }

  private static String escaped(String text) {
    return text.replace("\\", "\\e").replace("-", "\\-");
  }
}
