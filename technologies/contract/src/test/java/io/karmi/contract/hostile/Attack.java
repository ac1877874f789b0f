package io.karmi.contract.hostile;

import java.io.IOException;

/** One way to harm a node: the bytes that are sent, without an expected outcome. */
public final class Attack {
  /** Action of an attack. */
  @FunctionalInterface
  public interface Course {
    /** Attacks once; an {@link IOException} says that the node has had enough. */
    void run(Target target) throws IOException;
  }

  private final String name;
  private final Course course;

  /** An attack that is called so. */
  public Attack(String name, Course course) {
    this.name = name;
    this.course = course;
  }

  /** Attacks once. */
  void run(Target target) {
    try {
      course.run(target);
    } catch (IOException e) {
      return; // closed or refused: that is how a node defends itself
    }
  }

  /** What is done, in a few words. */
  @Override
  public String toString() {
    return name;
  }
}
