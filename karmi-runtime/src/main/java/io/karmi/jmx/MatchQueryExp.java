package io.karmi.jmx;

import javax.management.AttributeValueExp;
import javax.management.BadAttributeValueExpException;
import javax.management.BadBinaryOpValueExpException;
import javax.management.BadStringOperationException;
import javax.management.InvalidApplicationException;
import javax.management.ObjectName;
import javax.management.Query;
import javax.management.QueryEval;
import javax.management.QueryExp;
import javax.management.StringValueExp;
import javax.management.ValueExp;

/**
 * Query whether an attribute matches a pattern, as {@link javax.management.Query#match} makes it.
 * Takes the place of the JDK's class of this name when a client's query is read: that one takes
 * years for a pattern of a few asterisks, this one as many steps as text and pattern together have
 * pairs of characters, at most.
 *
 * <p>Names, number and fields are those of the JDK's serialized form.
 */
final class MatchQueryExp extends QueryEval implements QueryExp {
  /** The JDK's class. */
  static final Class<?> OF_JDK = Query.match(Query.attr(""), Query.value("")).getClass();

  private static final long serialVersionUID = -7156603696948215014L;

  private final AttributeValueExp exp;
  private final String pattern;

  MatchQueryExp(AttributeValueExp exp, String pattern) {
    this.exp = exp;
    this.pattern = pattern;
  }

  @Override
  public boolean apply(ObjectName name)
      throws BadStringOperationException,
          BadBinaryOpValueExpException,
          BadAttributeValueExpException,
          InvalidApplicationException {
    ValueExp value = exp.apply(name);
    return value instanceof StringValueExp text && matches(text.getValue());
  }

  /**
   * Whether a text matches. The last asterisk alone tries all lengths: what stands between two of
   * them is found at its first place.
   */
  private boolean matches(String text) {
    int inText = 0;
    int inPattern = 0;
    int behindAsterisk = -1;
    int retry = 0;
    while (true) {
      if (inPattern < pattern.length() && pattern.charAt(inPattern) == '*') {
        behindAsterisk = ++inPattern;
        retry = inText;
      } else if (inPattern == pattern.length() && inText == text.length()) {
        return true;
      } else if (inPattern < pattern.length()
          && inText < text.length()
          && allows(inPattern, text.charAt(inText))) {
        inPattern = behind(inPattern);
        inText++;
      } else if (behindAsterisk >= 0 && retry < text.length()) {
        inPattern = behindAsterisk;
        inText = ++retry;
      } else {
        return false;
      }
    }
  }

  /** Whether the part of the pattern that begins here stands for a character. */
  private boolean allows(int begin, char character) {
    char first = pattern.charAt(begin);
    if (first == '?') {
      return true;
    }
    if (first == '\\') {
      return begin + 1 < pattern.length() && pattern.charAt(begin + 1) == character;
    }
    return first == '[' ? setAllows(begin + 1, character) : first == character;
  }

  private boolean setAllows(int begin, char character) {
    boolean others = pattern.charAt(begin) == '!';
    boolean found = false;
    int at = others ? begin + 1 : begin;
    int end = pattern.charAt(at) == ']' ? at : pattern.indexOf(']', at);
    if (end < 0) {
      return false;
    }
    while (at < end) {
      if (pattern.charAt(at + 1) == '-' && pattern.charAt(at + 2) != ']') {
        found |= pattern.charAt(at) <= character && character <= pattern.charAt(at + 2);
        at += 2;
      } else {
        found |= pattern.charAt(at) == character;
        at++;
      }
    }
    return found != others;
  }

  /** Where the next part of the pattern begins. */
  private int behind(int begin) {
    char first = pattern.charAt(begin);
    if (first == '[') {
      int at = pattern.charAt(begin + 1) == '!' ? begin + 2 : begin + 1;
      return pattern.indexOf(']', at) + 1;
    }
    return first == '\\' ? begin + 2 : begin + 1;
  }

  @Override
  public String toString() {
    return exp + " like " + pattern;
  }
}
