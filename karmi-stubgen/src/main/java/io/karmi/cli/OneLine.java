package io.karmi.cli;

import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import org.jspecify.annotations.Nullable;

/** What has failed, in one line: the messages of files say no more than the file's name. */
public final class OneLine {
  /** How a remote exception's message goes on with its cause. */
  private static final String NESTED = "; nested exception is:\\s*(?:[\\w.$]+: )?";

  private static final int MAXIMUM_CHARACTERS = 4000;

  /** Of a line that is too long, characters of its end that are kept: it says the reason. */
  private static final int END_CHARACTERS = 400;

  private OneLine() {}

  /** Says what is wrong. */
  public static String of(Throwable problem) {
    Throwable said =
        problem instanceof UncheckedIOException && problem.getCause() != null
            ? problem.getCause()
            : problem;
    return printable(
        once(shortened(text(said)).replaceAll(NESTED, ": ").replaceAll("\\s*\\R\\s*", " ")));
  }

  /** The line, without parts that repeat what is before them, as causes do. */
  public static String once(String line) {
    return line.replaceAll("(?<=^|: )(.+?): \\1(?=: |$)", "$1");
  }

  /** What others have made may be long, and long to look through. */
  private static String shortened(String text) {
    return text.length() <= MAXIMUM_CHARACTERS
        ? text
        : text.substring(0, MAXIMUM_CHARACTERS - END_CHARACTERS)
            + "..."
            + text.substring(text.length() - END_CHARACTERS);
  }

  /**
   * A text with escapes in the place of control characters. What an input has named may add no line
   * and send nothing to the terminal.
   */
  public static String printable(String text) {
    StringBuilder escaped = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char each = text.charAt(i);
      if (Character.isISOControl(each) || each == '\u2028' || each == '\u2029') {
        escaped.append(String.format("\\u%04x", (int) each));
      } else {
        escaped.append(each);
      }
    }
    return escaped.toString();
  }

  private static String text(Throwable problem) {
    if (problem instanceof FileSystemException) {
      return ofFile((FileSystemException) problem);
    }
    if (problem instanceof InvalidPathException) {
      return ofPath((InvalidPathException) problem);
    }
    String message = problem.getMessage();
    return message == null ? problem.toString() : message;
  }

  /** A JVM whose locale is C or POSIX has no letters but ASCII's for the names of files. */
  private static String ofPath(InvalidPathException problem) {
    return problem.getReason().startsWith("Malformed input")
        ? problem.getInput() + " has letters that the locale lacks; set LC_ALL=C.UTF-8"
        : problem.getInput() + " is no path: " + problem.getReason();
  }

  private static String ofFile(FileSystemException problem) {
    String file = problem.getFile() == null ? "a file" : problem.getFile();
    String why = known(problem);
    if (why != null) {
      return file + " " + why;
    }
    return problem.getReason() == null
        ? file + ": " + problem.getClass().getSimpleName()
        : file + ": " + problem.getReason();
  }

  private static @Nullable String known(FileSystemException problem) {
    if (problem instanceof NoSuchFileException) {
      return "is not there";
    } else if (problem instanceof AccessDeniedException) {
      return "may not be read or written by this user";
    } else if (problem instanceof FileAlreadyExistsException) {
      return "is there already";
    } else if (problem instanceof NotDirectoryException) {
      return "is no directory";
    } else if (problem instanceof DirectoryNotEmptyException) {
      return "is a directory that is not empty";
    }
    return null;
  }
}
