package io.karmi.benchmarks.payloads;

import java.io.Serializable;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Objects that refer to each other in circles.
 *
 * <p>A node says where it stands in the array; so two graphs can be compared reference by
 * reference, without an end to look for.
 */
public final class Graph implements Serializable {
  private static final long serialVersionUID = 1;

  private final Node[] nodes;

  /** As many nodes as asked for, each with a reference to two of them. */
  public Graph(int size) {
    nodes = new Node[size];
    Arrays.setAll(nodes, Node::new);
    for (Node node : nodes) {
      node.first = nodes[(node.index * 7 + 1) % size];
      node.second = nodes[(node.index * 3 + 5) % size];
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Graph that
        && nodes.length == that.nodes.length
        && IntStream.range(0, nodes.length).allMatch(i -> that.hasAt(i, nodes[i]));
  }

  /** Equal numbers do not do: each reference must be to the very object in the array. */
  private boolean hasAt(int index, Node node) {
    return nodes[index].index == node.index
        && nodes[index].first == nodes[node.first.index]
        && nodes[index].second == nodes[node.second.index];
  }

  @Override
  public int hashCode() {
    return nodes.length;
  }

  /** One object of a graph. */
  public static final class Node implements Serializable {
    private static final long serialVersionUID = 1;

    private final int index;
    private Node first;
    private Node second;

    Node(int index) {
      this.index = index;
      first = this;
      second = this;
    }
  }
}
