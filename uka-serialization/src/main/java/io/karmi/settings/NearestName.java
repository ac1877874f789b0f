package io.karmi.settings;

import java.util.Collection;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The name that was meant by a misspelt one. */
public final class NearestName {
  /** One wrong letter for each of these is still a slip. */
  private static final int LETTERS_PER_SLIP = 3;

  /** A name that is part of another one says what is meant from this length on. */
  private static final int TELLING_LENGTH = 5;

  private NearestName() {}

  /**
   * The nearest of some names; case, dots and underscores do not count. Null if none is near.
   *
   * <p>The distance is the number of letters that are missing, too many, wrong, or exchanged with
   * their neighbour. A slip for three letters is near, as is a name that lacks the beginning or the
   * end.
   */
  public static @Nullable String of(String name, Collection<String> names) {
    String nearest = null;
    int least = Integer.MAX_VALUE;
    for (String each : names) {
      int common = commonWords(name, each);
      String wanted = letters(name.substring(common));
      String letters = letters(each.substring(common));
      int distance = distance(wanted, letters);
      boolean part = common == 0 && wanted.length() >= TELLING_LENGTH && letters.contains(wanted);
      boolean near = distance <= Math.max(1, wanted.length() / LETTERS_PER_SLIP) || part;
      if (near && distance < least) {
        least = distance;
        nearest = each;
      }
    }
    return nearest;
  }

  /** Length of the words with which both begin: a slip is in one of the others. */
  private static int commonWords(String one, String other) {
    int end = 0;
    for (int i = 0; i < Math.min(one.length(), other.length()); i++) {
      char letter = one.charAt(i);
      if (letter != other.charAt(i)) {
        break;
      }
      if (letter == '.' || letter == '_') {
        end = i + 1;
      }
    }
    return end;
  }

  private static String letters(String name) {
    return name.toLowerCase(Locale.ROOT).replace(".", "").replace("_", "");
  }

  private static int distance(String one, String other) {
    int[] before = new int[other.length() + 1];
    int[] last = new int[other.length() + 1];
    for (int i = 0; i <= other.length(); i++) {
      last[i] = i;
    }
    for (int i = 1; i <= one.length(); i++) {
      int[] now = new int[other.length() + 1];
      now[0] = i;
      for (int j = 1; j <= other.length(); j++) {
        int wrong = one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1;
        now[j] = Math.min(last[j - 1] + wrong, 1 + Math.min(last[j], now[j - 1]));
        if (i > 1
            && j > 1
            && one.charAt(i - 1) == other.charAt(j - 2)
            && one.charAt(i - 2) == other.charAt(j - 1)) {
          now[j] = Math.min(now[j], before[j - 2] + 1);
        }
      }
      before = last;
      last = now;
    }
    return last[other.length()];
  }
}
