package io.karmi.exchange;

import io.karmi.exchange.record.GroupInput;
import io.karmi.uka.UkaObjectInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectStreamClass;
import java.io.StreamCorruptedException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Makes the objects of a group. */
final class RootInput extends UkaObjectInputStream {
  private final Others others;
  private final Set<Object> groups = new LinkedHashSet<>();

  private RootInput(GroupInput from, Others others) throws IOException {
    super(from);
    this.others = others;
  }

  /** Gives objects of other groups. */
  @FunctionalInterface
  interface Others {
    /**
     * The object of a group that has a number there; both are claims.
     *
     * @throws IOException if there is none
     */
    Object object(@Nullable Object group, int number) throws IOException;
  }

  /** An object of another group, which is held for as long as this one. */
  Object external(@Nullable Object group, int number) throws IOException {
    Object object = others.object(group, number);
    if (group != null) {
      groups.add(group);
    }
    return object;
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
   * @param others asked for objects of other groups
   * @param all whether all of its objects are wanted, by their numbers
   * @throws InvalidClassException if a class of it is missing here
   * @throws IOException names the group
   */
  static OpenGroup.Made read(GroupInput from, Others others, boolean all) throws IOException {
    GroupAddress address = from.header().address();
    try (from) {
      return readAll(from, others, all);
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
    } catch (IOException | ClassCastException e) {
      throw new IOException("group " + address + " cannot be read: " + reason(e), e);
    }
  }

  private static String reason(Exception problem) {
    return problem.getMessage() == null ? problem.toString() : problem.getMessage();
  }

  private static OpenGroup.Made readAll(GroupInput from, Others others, boolean all)
      throws IOException, ClassNotFoundException {
    RootInput in = new RootInput(from, others);
    Object root;
    try {
      root = in.readObject();
      if (from.sureBytes() > 0) {
        throw new StreamCorruptedException("bytes behind its root");
      }
    } catch (EOFException | StreamCorruptedException e) {
      from.finish(); // if it is damaged, that is said
      throw e;
    }
    from.finish();
    return new OpenGroup.Made(
        root, all ? in.numberedObjects() : OpenGroup.NO_OBJECTS, List.copyOf(in.groups));
  }
}
