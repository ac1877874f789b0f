package io.karmi.stubgen.model;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reader of Signature attributes (Java Virtual Machine Specification, 4.7.9.1), as far as needed to
 * follow the type variables of interfaces. Types come as they stand there: {@code TE;}, {@code
 * [Ljava/util/List<TE;>;}.
 */
final class Generics {
  private final String text;
  private int position;

  private Generics(String text) {
    this.text = text;
  }

  /** The names of a class's variables. */
  static List<String> variables(@Nullable String signature) {
    List<String> names = new ArrayList<>();
    if (signature != null) {
      new Generics(signature).formals(names);
    }
    return names;
  }

  /** For each superinterface the types that it is given. */
  static List<List<String>> ofInterfaces(@Nullable String signature) {
    List<List<String>> all = new ArrayList<>();
    if (signature != null) {
      Generics parser = new Generics(signature);
      parser.formals(new ArrayList<>());
      parser.type(); // Object
      while (parser.position < signature.length()) {
        all.add(arguments(parser.type()));
      }
    }
    return all;
  }

  /** The parameters and, last, the result of a method; empty if it has no signature. */
  static List<String> ofMethod(@Nullable String signature) {
    List<String> types = new ArrayList<>();
    if (signature != null) {
      Generics parser = new Generics(signature);
      parser.formals(new ArrayList<>());
      parser.position++; // the parenthesis
      while (signature.charAt(parser.position) != ')') {
        types.add(parser.type());
      }
      parser.position++;
      types.add(parser.type());
    }
    return types;
  }

  /** The exceptions of a method, if one of them is a variable; else none. */
  static List<String> thrownBy(@Nullable String signature) {
    List<String> types = new ArrayList<>();
    if (signature != null) {
      Generics parser = new Generics(signature);
      parser.position = signature.lastIndexOf(')') + 1;
      parser.type(); // the result
      while (parser.position < signature.length()) {
        parser.position++; // the sign for exceptions
        types.add(parser.type());
      }
    }
    return types;
  }

  /** A type without the types given to it. */
  static String erased(String type) {
    StringBuilder erased = new StringBuilder();
    int depth = 0;
    for (int i = 0; i < type.length(); i++) {
      char each = type.charAt(i);
      depth -= each == '>' ? 1 : 0;
      if (depth == 0 && each != '<' && each != '>') {
        erased.append(each == '.' ? '$' : each); // an inner class of a generic one
      }
      depth += each == '<' ? 1 : 0;
    }
    return erased.toString();
  }

  private static List<String> arguments(String type) {
    List<String> arguments = new ArrayList<>();
    int start = type.lastIndexOf('<', type.indexOf('<'));
    if (start >= 0) {
      Generics parser = new Generics(type);
      parser.position = start + 1;
      while (type.charAt(parser.position) != '>') {
        arguments.add(parser.type());
      }
    }
    return arguments;
  }

  /** Skips {@code <T:Ljava/lang/Object;U::Ljava/util/List<TT;>;>} and takes the names. */
  private void formals(List<String> names) {
    if (text.charAt(position) != '<') {
      return;
    }
    position++;
    while (text.charAt(position) != '>') {
      int colon = text.indexOf(':', position);
      names.add(text.substring(position, colon));
      position = colon;
      while (text.charAt(position) == ':') {
        position++;
        if (text.charAt(position) != ':') {
          type();
        }
      }
    }
    position++;
  }

  /** Takes one type. */
  private String type() {
    int start = position;
    while (text.charAt(position) == '[') {
      position++;
    }
    char kind = text.charAt(position++);
    switch (kind) {
      case '+', '-' -> type();
      case 'T' -> position = text.indexOf(';', position) + 1;
      case 'L' -> skipClass();
      default -> {} // primitive, void or a wildcard
    }
    return text.substring(start, position);
  }

  private void skipClass() {
    int depth = 0;
    while (depth > 0 || text.charAt(position) != ';') {
      depth += text.charAt(position) == '<' ? 1 : 0;
      depth -= text.charAt(position) == '>' ? 1 : 0;
      position++;
    }
    position++;
  }
}
