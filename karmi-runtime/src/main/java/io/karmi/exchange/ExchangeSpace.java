package io.karmi.exchange;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.NoSuchElementException;

/**
 * A space of immutable groups of objects that the JVMs of a cluster share.
 *
 * <p>A group is an object with all that it leads to. It is marshalled once, into a file of the
 * owner's host. Other JVMs of that host read the file; each other host fetches it once. Each JVM
 * makes its own objects, once.
 *
 * <p>Calls wait for a directory that cannot be reached, up to {@code karmi.keepAlive}, and then
 * fail with an {@link IOException} that names it. Thread-safe.
 */
public interface ExchangeSpace extends AutoCloseable {
  /**
   * Joins a space.
   *
   * @param url of its directory: the RMI URL of the server, such as {@code //host:1098/exchange}
   * @return the space that this JVM has joined by that URL, or by another one of the same
   *     directory: there is one for all who ask
   * @throws IOException if the directory cannot be reached, or another user's files are in the way
   */
  static ExchangeSpace join(String url) throws IOException {
    return Spaces.join(url);
  }

  /**
   * Makes a group of an object. Nothing leaves this host, and the directory is not asked.
   *
   * @return holds the group until it is closed or collected
   * @throws IOException if the object cannot be serialized or the file not be written; then nothing
   *     is left of it
   */
  <T> Group<T> put(T root) throws IOException;

  /**
   * Makes a group of an object, and binds a key to it, which holds the group as well.
   *
   * @param key of at most 1,024 bytes
   * @throws KeyTakenException if the key is bound
   */
  <T> Group<T> put(String key, T root) throws IOException;

  /**
   * As {@link #put(String, Object)}, whether the key is bound or not. Who has the old one keeps it.
   */
  <T> Group<T> replace(String key, T root) throws IOException;

  /**
   * The group of a key. It is fetched to this host if it is not here.
   *
   * @throws NoSuchElementException if the key is not bound
   * @throws GroupLostException if it is with none of those who had it
   */
  <T> Group<T> get(String key) throws IOException;

  /**
   * As {@link #get(String)}, and waits until the key is bound.
   *
   * @throws NoSuchElementException if it is not within the limit
   */
  <T> Group<T> await(String key, Duration limit) throws IOException, InterruptedException;

  /**
   * A group by its address. It is fetched to this host if it is not here.
   *
   * @throws GroupLostException if it is with none of those who had it
   */
  <T> Group<T> get(GroupAddress address) throws IOException;

  /**
   * Counters by name, since this JVM has joined: groups that are held now; groups and bytes that
   * were fetched from other hosts; bytes that were given to others; calls of the directory. As the
   * JMX bean shows them.
   */
  Map<String, Long> counters();

  /**
   * Leaves the space, for all of this JVM who have joined it. Objects stay; groups that are not
   * bound to keys end if no other JVM holds them. Without effect the second time.
   */
  @Override
  void close();
}
