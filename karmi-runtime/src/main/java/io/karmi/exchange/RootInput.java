package io.karmi.exchange;

import io.karmi.uka.UkaObjectInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectStreamClass;
import java.io.StreamCorruptedException;
import org.jspecify.annotations.Nullable;

/** Makes the objects of a group. */
final class RootInput extends UkaObjectInputStream {
  private RootInput(GroupInput from) throws IOException {
    super(from);
  }

  @Override
  protected Class<?> resolveClass(ObjectStreamClass descriptor)
      throws IOException, ClassNotFoundException {
    try {
      return super.resolveClass(descriptor);
    } catch (ClassNotFoundException e) {
      ClassLoader context = Thread.currentThread().getContextClassLoader();
      if (context == null) {
        throw e;
      }
      return Class.forName(descriptor.getName(), false, context);
    }
  }

  /**
   * Reads a group to its end, which closes it.
   *
   * @throws InvalidClassException if a class of it is missing here
   * @throws IOException names the group
   */
  static @Nullable Object read(GroupInput from) throws IOException {
    GroupAddress address = from.header().address();
    try (from) {
      return readAll(from);
    } catch (ClassNotFoundException e) {
      InvalidClassException missing =
          new InvalidClassException(
              e.getMessage(), "the class, used in group " + address + ", is not found here");
      missing.initCause(e);
      throw missing;
    } catch (InvalidClassException e) {
      InvalidClassException other =
          new InvalidClassException(e.classname, "in group " + address + ": " + reason(e));
      other.initCause(e);
      throw other;
    } catch (IOException e) {
      throw new IOException("group " + address + " cannot be read: " + reason(e), e);
    }
  }

  private static String reason(IOException problem) {
    return problem.getMessage() == null ? problem.toString() : problem.getMessage();
  }

  private static @Nullable Object readAll(GroupInput from)
      throws IOException, ClassNotFoundException {
    Object root;
    try {
      root = new RootInput(from).readObject();
      if (from.sureBytes() > 0) {
        throw new StreamCorruptedException("bytes behind its root");
      }
    } catch (EOFException | StreamCorruptedException e) {
      from.finish(); // if it is damaged, that is said
      throw e;
    }
    from.finish();
    return root;
  }
}
